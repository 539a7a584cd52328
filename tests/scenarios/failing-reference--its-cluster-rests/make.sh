# A topic belongs to a broker cluster, which is scaled to 0. The operator runs. Another cluster has brokers.
node worker Ready
settled worker
crd topics heronmq.dev Topic
crd clusters heronmq.dev Cluster
works 600 queues heronmq topics.heronmq.dev clusters.heronmq.dev
kubectl create namespace shop
object shop Cluster.v1.heronmq.dev main "{replicas: ${REPLICAS:-0}}"
object shop Cluster.v1.heronmq.dev spare '{replicas: 3}'
object shop Topic.v1.heronmq.dev orders "{partitions: 3${REFERS:-}}"
[ -n "${REFERS:-}" ] || kubectl -n shop label topics.heronmq.dev orders heronmq.dev/cluster=main
finalizer shop topics.heronmq.dev orders heronmq.dev/topic heronmq
kubectl -n shop delete topics.heronmq.dev orders --wait=false
aged 30 /registry/heronmq.dev/topics/shop/orders topics.heronmq.dev orders -n shop
