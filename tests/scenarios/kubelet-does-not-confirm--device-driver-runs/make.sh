# Like kubelet-does-not-confirm--device-driver-stopped, but the driver runs on the node and is not
# the cause.
TWIN=yes
twin_of kubelet-does-not-confirm--device-driver-stopped
