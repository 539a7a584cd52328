# Like apiservice-unavailable--package-server-went, but the APIService was deleted, and a
# ClusterServiceVersion remains with the package manager's finalizer.
TWIN=yes
twin_of apiservice-unavailable--package-server-went
