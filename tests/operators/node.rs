//! The node that the operators run on: `control-plane agent`.

use crate::product::Product;
use crate::support::control_plane::ControlPlane;
use crate::support::go::control_plane;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

/// The reason why this machine cannot run a node; `None` if it can.
pub fn missing() -> Option<String> {
    if !cfg!(target_os = "linux") {
        return Some("the node of the operators needs the namespaces of Linux".into());
    }
    let root = nix::unistd::geteuid().is_root();
    (!root).then(|| "the node of the operators needs root: it gives each pod a network of its own".into())
}

/// A node that runs the programs of some products. Dropping it ends the node and the programs.
pub struct Node {
    agent: Child,
}

impl Node {
    /// Starts the node, and waits until it is ready.
    ///
    /// # Panics
    /// If it does not become ready, with its output.
    pub fn start(plane: &ControlPlane, products: &[Arc<Product>]) -> Self {
        let log = plane.dir().join("agent.log");
        let mut command = Command::new(control_plane());
        command.arg("agent").arg("--plane").arg(plane.dir());
        for image in products.iter().flat_map(|product| product.images()) {
            command.args(["--image", &image]);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(File::create(&log).expect("a log"));
        let mut agent = command.spawn().expect("the agent starts");
        let mut said = String::new();
        let stdout = agent.stdout.take().expect("stdout is a pipe");
        BufReader::new(stdout).read_line(&mut said).expect("it can be read");
        let node = Self { agent };
        assert!(said.starts_with("ready"), "{}", std::fs::read_to_string(log).unwrap_or_default());
        node
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        // The agent ends with its stdin, after the programs that it has started.
        drop(self.agent.stdin.take());
        let _ = self.agent.wait();
    }
}
