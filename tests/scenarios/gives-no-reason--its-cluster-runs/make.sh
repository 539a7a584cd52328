# Like failing-reference--its-cluster-rests, but the cluster has brokers.
REPLICAS=3
twin_of failing-reference--its-cluster-rests
