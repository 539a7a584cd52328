# Like eviction-refused--grace-said-by-its-machine, but the pod's grace period is over.
TWIN=yes
twin_of eviction-refused--grace-said-by-its-machine
