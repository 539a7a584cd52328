# Like failing-reference--cluster-of-its-field-rests, but the cluster has brokers.
REPLICAS=3
twin_of failing-reference--cluster-of-its-field-rests
