//! A plain-HTTP way to the API server, so that a test can look into requests.

use super::control_plane::ControlPlane;
use std::io::{BufRead, BufReader};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Stdio};
use std::thread;

/// `kubectl proxy`, and an address in front of it; it ends with the value.
pub struct Front {
    behind: Child,
    /// `http://127.0.0.1:PORT`
    pub address: String,
}

impl Front {
    /// Every connection to the address is handed to `serve`, with one to the server.
    pub fn start(plane: &ControlPlane, serve: impl Fn(&TcpStream, &TcpStream) + Clone + Send + 'static) -> Self {
        let mut kubectl = plane.command("kubectl");
        kubectl.args(["proxy", "--port=0"]).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut behind = kubectl.spawn().expect("kubectl proxy");
        let mut line = String::new();
        BufReader::new(behind.stdout.as_mut().expect("a pipe")).read_line(&mut line).expect("its address");
        let server = line.trim().rsplit(' ').next().expect("an address").to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        thread::spawn(move || {
            for client in listener.incoming() {
                let client = client.expect("a client");
                let server = TcpStream::connect(&server).expect("kubectl proxy");
                let serve = serve.clone();
                thread::spawn(move || serve(&client, &server));
            }
        });
        Self { behind, address }
    }
}

impl Drop for Front {
    fn drop(&mut self) {
        self.behind.kill().ok();
        self.behind.wait().ok();
    }
}
