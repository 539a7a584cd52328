# Like kubelet-does-not-confirm--device-driver-stopped, but the driver runs on the node and is not
# the cause.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../kubelet-does-not-confirm--device-driver-stopped/make.sh"
