# Like failing-reference--entry-names-a-cluster, but the cluster is connected.
CONNECTED=True
twin_of failing-reference--entry-names-a-cluster
