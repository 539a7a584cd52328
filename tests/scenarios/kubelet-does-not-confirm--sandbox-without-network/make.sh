# As kubelet-does-not-confirm--sandboxed-runtime, but the kubelet says that the network plugin is missing: the class is not why.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../kubelet-does-not-confirm--sandboxed-runtime/make.sh"
