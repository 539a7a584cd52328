# Like kubelet-does-not-confirm--network-agent-down, but the network agent runs on the node and is
# not the cause.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../kubelet-does-not-confirm--network-agent-down/make.sh"
