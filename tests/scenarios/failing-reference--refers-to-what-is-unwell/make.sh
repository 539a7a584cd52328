# A queue refers to a broker that cannot be reached. The operator reports that on the broker only.
node worker Ready
crd queues heronmq.dev Queue
crd brokers heronmq.dev Broker
operator queues heronmq 1 queues.heronmq.dev brokers.heronmq.dev
pods_ready queues heronmq
kubectl create namespace shop
object shop Broker.v1.heronmq.dev main '{host: mq.example}'
says shop brokers.heronmq.dev main heronmq "{conditions: [$(condition Connected False DialFailed 'dial tcp: connection refused')]}"
object shop Queue.v1.heronmq.dev orders '{brokerRef: {name: main}}'
finalizer shop queues.heronmq.dev orders heronmq.dev/queue heronmq
kubectl -n shop delete queues.heronmq.dev orders --wait=false
late
