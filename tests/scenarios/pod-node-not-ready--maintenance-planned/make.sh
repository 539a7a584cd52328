# Like pod-node-not-ready--under-maintenance, but the maintenance has not begun: the node has failed by itself.
BEGUN=False
twin_of pod-node-not-ready--under-maintenance
