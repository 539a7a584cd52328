# Like node-gone--entry-of-a-node-that-left, but the deleted pool belongs to a node that
# exists and runs an agent.
GOES=slow
. "$(dirname "${BASH_SOURCE[0]}")/../node-gone--entry-of-a-node-that-left/make.sh"
pods_running_since 600 wren wren-agent agent
