//! The commands that query a node about one of its pods.

use crate::plan::quote;
use crate::report::Sentence;
use crate::survey::Object;

/// `title`, with the commands that query a node about one pod: its containers, its mounts and the kubelet's log
/// about it, down to the system's journal.
pub(crate) fn ask_node(title: &str, pod: &Object, node: &str, windows: bool) -> Sentence {
    let (title, uid) = (Sentence::from(title), pod.uid());
    if windows {
        return title
            .aside(format!("on node {node}, in PowerShell"))
            .by(format_args!("crictl ps -a --label io.kubernetes.pod.uid={uid}"))
            .by("Get-Service kubelet, containerd")
            .by("Get-WinEvent -LogName System -MaxEvents 50");
    }
    let script = format!(
        "crictl ps -a --label io.kubernetes.pod.uid={uid}; findmnt -l | grep {uid}; journalctl -u kubelet --since=-15min | grep {uid}"
    );
    title.by(format_args!(
        "kubectl debug node/{} -it --image=busybox --profile=sysadmin -- chroot /host sh -c {}",
        quote(node),
        quote(&script)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_windows_node_is_not_asked_by_chroot() {
        let pod: Object =
            serde_json::from_value(serde_json::json!({"metadata": {"name": "web", "uid": "u-1"}})).unwrap();
        assert!(ask_node("ask", &pod, "n", false).to_string().contains("chroot /host"));
        let asked = ask_node("ask", &pod, "n", true).to_string();
        assert!(!asked.contains("chroot") && !asked.contains("journalctl") && asked.contains("u-1"), "{asked}");
    }
}
