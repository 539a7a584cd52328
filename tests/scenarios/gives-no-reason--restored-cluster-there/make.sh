# Like dangling-reference--restored-cluster-gone, but the cluster exists.
TWIN=yes
twin_of dangling-reference--restored-cluster-gone
