# Like kubelet-does-not-confirm--network-agent-down, but the network agent runs on the node and is
# not the cause.
TWIN=yes
twin_of kubelet-does-not-confirm--network-agent-down
