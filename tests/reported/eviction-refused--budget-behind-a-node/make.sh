# Like eviction-refused--do-not-disrupt, but the pod has no such annotation, and its budget does not
# allow the eviction.
TWIN=yes
twin_of eviction-refused--do-not-disrupt
