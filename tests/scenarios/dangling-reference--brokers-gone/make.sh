# A topic is deleted after the broker cluster and its whole namespace. The operator cannot look up
# the brokers that the topic names, and its condition says only that it failed. A topic of another
# cluster is healthy.
node worker Ready
settled worker
crd topics cluster.redpanda.com Topic Namespaced v1alpha2
crd redpandas cluster.redpanda.com Redpanda Namespaced v1alpha2
crd users cluster.redpanda.com User Namespaced v1alpha2
works 600 redpanda redpanda-operator topics.cluster.redpanda.com redpandas.cluster.redpanda.com users.cluster.redpanda.com secrets.
leading redpanda aa9fc693.vectorized.io redpanda-operator-6c8_1
works 600 cert-manager cert-manager secrets.
object redpanda Redpanda.v1alpha2.cluster.redpanda.com redpanda '{clusterSpec: {statefulset: {replicas: 1}}}'
finalizer redpanda redpandas redpanda operator.redpanda.com/finalizer manager
says redpanda redpandas redpanda manager "{conditions: [$(condition Ready True ClusterReady 'Cluster ready')]}"
kubectl apply -f - <<'YAML'
apiVersion: v1
kind: Service
metadata: {name: redpanda, namespace: redpanda}
spec: {clusterIP: None, publishNotReadyAddresses: true, selector: {app.kubernetes.io/name: redpanda}, ports: [{name: kafka, port: 9093}]}
YAML
pod redpanda redpanda-0 worker 30
kubectl -n redpanda patch pod redpanda-0 --subresource=status --type=merge -p "status: {phase: Running, conditions: [$(condition Ready True)]}"
if [ -n "${TWIN:-}" ]; then
  kubectl create namespace redpanda-dev
  kubectl -n redpanda-dev create service clusterip redpanda --clusterip=None
fi
kubectl create namespace streaming
kubectl -n streaming create secret generic topic-admin --from-literal=password=not-a-real-one
# topic NAME BROKER CONDITION... creates a topic in the cluster with this broker address.
topic() {
  object streaming Topic.v1alpha2.cluster.redpanda.com "$1" "{partitions: 3, replicationFactor: 1, kafkaApiSpec: {brokers: ['$2'],
    sasl: {username: topic-admin, mechanism: SCRAM-SHA-512, passwordSecretRef: {name: topic-admin, key: password}}}}"
  finalizer streaming topics.cluster.redpanda.com "$1" operator.redpanda.com/finalizer manager
  says streaming topics.cluster.redpanda.com "$1" manager "{observedGeneration: 1, conditions: [$(condition Ready "${@:3}")]}"
}
topic orders redpanda-0.redpanda.redpanda-dev.svc.cluster.local:9093 False Failed 'Topic reconciliation failed'
topic payments redpanda-0.redpanda.redpanda.svc.cluster.local:9093 True Succeeded 'Topic reconciliation succeeded'
kubectl -n streaming delete topics.cluster.redpanda.com orders --wait=false
says streaming topics.cluster.redpanda.com orders manager "{observedGeneration: 2, conditions: [$(condition Ready False Failed 'Topic reconciliation failed')]}"
late
aged 55 /registry/cluster.redpanda.com/topics/streaming/orders topics.cluster.redpanda.com orders -n streaming
