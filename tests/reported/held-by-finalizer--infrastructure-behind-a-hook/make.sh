# Like eviction-refused--hook-needs-the-cluster, but the hook was removed, and the machine waits for
# its infrastructure, whose controller is at zero.
TWIN=yes AT=0
twin_of eviction-refused--hook-needs-the-cluster
