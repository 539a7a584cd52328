# Like controller-says--device-bound-on-its-node, but the agent of the device's node says nothing of it.
TWIN=yes
twin_of controller-says--device-bound-on-its-node
FORMAT=logfmt logged harvester-system "$(agent_on node1)" agent node2-000004000
