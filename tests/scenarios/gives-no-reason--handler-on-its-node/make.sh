# Like no-agent--handler-of-its-machine-kept-off, but the handler runs on the node.
TWIN=yes
twin_of no-agent--handler-of-its-machine-kept-off
