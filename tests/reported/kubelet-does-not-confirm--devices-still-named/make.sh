# As kubelet-does-not-confirm--devices-not-prepared, but the claim is there and the pod's status names it: it is not why.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../../scenarios/kubelet-does-not-confirm--devices-not-prepared/make.sh"
