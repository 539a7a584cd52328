# As held-by-finalizer--entry-of-a-node-that-left, but the pool of the node that is there goes, where an agent runs.
GOES=slow
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--entry-of-a-node-that-left/make.sh"
pods_running_since 600 wren wren-agent agent
