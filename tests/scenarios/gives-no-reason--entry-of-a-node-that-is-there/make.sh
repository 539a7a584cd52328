# Like node-gone--entry-of-a-node-that-left, but the deleted pool belongs to a node that
# exists and runs an agent.
GOES=slow
twin_of node-gone--entry-of-a-node-that-left
pods_running_since 600 wren wren-agent agent
