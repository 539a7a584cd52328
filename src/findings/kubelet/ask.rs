//! Asking a node about one of its pods.

use crate::plan::quote;
use crate::survey::Object;

/// The command that asks a node about one pod: its containers, its mounts and what
/// the kubelet has written of it, down to the level of the system's journal.
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
