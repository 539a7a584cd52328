# Like controller-says--member-of-a-server-node, but no condition says why it is not removed.
TWIN=yes
twin_of controller-says--member-of-a-server-node
