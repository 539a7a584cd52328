# Like pod-node-not-ready--job-of-another-scheduler, but the kubelet is healthy and has confirmed
# the end of the pod, and the bridge's controllers are at zero.
TWIN=yes
twin_of pod-node-not-ready--job-of-another-scheduler
