# A queue refers to a healthy broker. Its operator is scaled to 0.
node worker Ready
crd queues heronmq.dev Queue
crd brokers heronmq.dev Broker
operator queues heronmq 0 queues.heronmq.dev brokers.heronmq.dev
kubectl create namespace shop
object shop Broker.v1.heronmq.dev main '{host: mq.example}'
says shop brokers.heronmq.dev main heronmq "{conditions: [$(condition Connected True Dialled connected)]}"
object shop Queue.v1.heronmq.dev orders '{brokerRef: {name: main}}'
finalizer shop queues.heronmq.dev orders heronmq.dev/queue heronmq
kubectl -n shop delete queues.heronmq.dev orders --wait=false
late
