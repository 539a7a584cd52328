# Like eviction-refused--behind-a-node-class, but the budget allows the eviction, and the pod is
# within its grace period of twelve hours.
TWIN=yes
twin_of eviction-refused--behind-a-node-class
