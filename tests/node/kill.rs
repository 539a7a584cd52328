//! A node that is killed leaves nothing on the machine.

use crate::support::control_plane::ControlPlane;
use crate::support::go;
use crate::support::program::run_script;
use crate::support::wait::wait_until;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A running pod, so that there are containers, mounts, and an interface.
const POD: &str = r#"
    kubectl create namespace shop
    real_pod shop web 30 "$(container obey 0)" "volumes: [{name: memory, emptyDir: {medium: Memory}}]"
    runs shop web
"#;

/// How long the kernel and the process that removes the cgroups may take.
const GONE_WITHIN: Duration = Duration::from_secs(40);

/// Kills the harness with SIGKILL, and looks for processes, namespaces, cgroups, interfaces and
/// mounts.
pub fn a_killed_node_leaves_nothing_behind() {
    let interfaces = names("/sys/class/net");
    let plane = ControlPlane::with_node(go::node().expect("it was built before"));
    let library = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/node-states/lib.sh");
    let script = plane.dir().join("pod.sh");
    fs::write(&script, format!(". {}\n{POD}", library.display())).expect("the script is written");
    drop(run_script(&script, &plane));

    let first = fs::read_to_string(plane.dir().join("node.pid")).expect("the first process").trim().to_owned();
    let namespaces = NAMESPACES.map(|kind| namespace(&first, kind).expect("a namespace"));
    let group = fs::read_to_string(plane.dir().join("node.group")).expect("the cgroups").trim().to_owned();
    assert!(users(&namespaces).len() > 5, "a node has containerd, a kubelet and a pod: {:?}", users(&namespaces));
    assert!(!groups(&group).is_empty(), "a node has cgroups");

    plane.kill();
    wait_until("its processes are gone", GONE_WITHIN, || users(&namespaces).is_empty());
    wait_until("its cgroups are gone", GONE_WITHIN, || groups(&group).is_empty());
    assert_eq!(names("/sys/class/net"), interfaces);
    let mounts = fs::read_to_string("/proc/self/mounts").expect("mounts");
    let dir = plane.dir().to_string_lossy();
    assert!(!mounts.contains(&*dir) && !mounts.contains(&group), "{mounts}");
}

fn names(folder: impl AsRef<Path>) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// The kinds of namespaces that a node has for itself.
const NAMESPACES: [&str; 4] = ["pid", "mnt", "net", "cgroup"];

fn namespace(process: &str, kind: &str) -> Option<PathBuf> {
    fs::read_link(format!("/proc/{process}/ns/{kind}")).ok()
}

/// The processes in one of these namespaces.
fn users(namespaces: &[PathBuf]) -> Vec<String> {
    let is_in = |process: &String| {
        NAMESPACES.iter().any(|kind| namespace(process, kind).is_some_and(|it| namespaces.contains(&it)))
    };
    names("/proc").into_iter().filter(|name| name.parse::<u32>().is_ok()).filter(is_in).collect()
}

/// The cgroups of this name, in whichever hierarchy.
fn groups(name: &str) -> Vec<PathBuf> {
    let top = Path::new("/sys/fs/cgroup");
    let hierarchies = names(top).into_iter().map(|hierarchy| top.join(hierarchy)).chain([top.to_owned()]);
    hierarchies.map(|hierarchy| hierarchy.join(name)).filter(|group| group.is_dir()).collect()
}
