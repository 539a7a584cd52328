# Like kubelet-does-not-confirm--devices-not-prepared, but the claim exists and the pod's status
# names it, so it is not the cause.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../../scenarios/kubelet-does-not-confirm--devices-not-prepared/make.sh"
