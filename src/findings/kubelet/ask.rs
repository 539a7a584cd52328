//! The command that queries a node about one of its pods.

use crate::plan::quote;
use crate::survey::Object;

/// The command that queries a node about one pod: its containers, its mounts and the kubelet's log about it,
/// down to the system's journal.
pub(crate) fn ask_node(pod: &Object, node: &str, windows: bool) -> String {
    let uid = pod.uid();
    if windows {
        return format!(
            "on node {node}, in PowerShell: crictl ps -a --label io.kubernetes.pod.uid={uid}; Get-Service kubelet, containerd; Get-WinEvent -LogName System -MaxEvents 50"
        );
    }
    let script = format!(
        "crictl ps -a --label io.kubernetes.pod.uid={uid}; findmnt -l | grep {uid}; journalctl -u kubelet --since=-15min | grep {uid}"
    );
    format!(
        "kubectl debug node/{} -it --image=busybox --profile=sysadmin -- chroot /host sh -c {}",
        quote(node),
        quote(&script)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_windows_node_is_not_asked_by_chroot() {
        let pod: Object =
            serde_json::from_value(serde_json::json!({"metadata": {"name": "web", "uid": "u-1"}})).unwrap();
        assert!(ask_node(&pod, "n", false).contains("chroot /host"));
        let asked = ask_node(&pod, "n", true);
        assert!(!asked.contains("chroot") && !asked.contains("journalctl") && asked.contains("u-1"), "{asked}");
    }
}
