# As kubelet-does-not-confirm--network-agent-down, but the agent of the network runs on the node: it is not why.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../kubelet-does-not-confirm--network-agent-down/make.sh"
