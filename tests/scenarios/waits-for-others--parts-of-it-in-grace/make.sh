# An operator waits for the pods of a broker, which have a grace period of half an hour.
node worker Ready
crd brokers heron.dev Broker
operator heron heron 1 brokers.heron.dev
pods_ready heron heron
kubectl create namespace iot
object iot Broker.v1.heron.dev plant '{size: 1}'
finalizer iot brokers.heron.dev plant heron.dev/teardown heron
kubectl apply -f - <<YAML
apiVersion: v1
kind: Pod
metadata: {name: plant-0, namespace: iot, labels: {app.kubernetes.io/name: plant}, ownerReferences: [$(owner brokers.heron.dev plant iot)]}
spec:
  automountServiceAccountToken: false
  terminationGracePeriodSeconds: 1800
  containers: [{name: manager, image: example.invalid/broker}]
YAML
pods_on worker iot plant
pods_running_since 600 iot plant
kubectl -n iot delete brokers.heron.dev plant --wait=false
kubectl -n iot delete pod plant-0 --wait=false
late
