# As pod-node-not-ready--job-of-another-scheduler, but the kubelet is well and has said that the pod has ended; the bridge's
# controllers are at zero.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../pod-node-not-ready--job-of-another-scheduler/make.sh"
