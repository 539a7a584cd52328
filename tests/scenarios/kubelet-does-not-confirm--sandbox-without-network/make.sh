# Like kubelet-does-not-confirm--sandboxed-runtime, but the kubelet reports a missing network
# plugin, so the runtime class is not the cause.
TWIN=yes
twin_of kubelet-does-not-confirm--sandboxed-runtime
