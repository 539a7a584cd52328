# Like pod-node-not-ready--job-of-another-scheduler, but the kubelet is healthy and has confirmed
# the end of the pod, and the bridge's controllers are at zero.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../pod-node-not-ready--job-of-another-scheduler/make.sh"
