# Like failing-reference--entry-names-a-cluster, but that cluster was removed.
twin_of failing-reference--entry-names-a-cluster
kubectl delete ships.flotilla.example h-k-7x2vdq9k
