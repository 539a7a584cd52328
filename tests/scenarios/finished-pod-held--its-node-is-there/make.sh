# Like finished-pod-held--its-node-is-gone, but the node exists, so the reason is unknown.
TWIN=yes
twin_of finished-pod-held--its-node-is-gone
