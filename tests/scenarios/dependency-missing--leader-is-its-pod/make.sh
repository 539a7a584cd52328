# The operator's pod leads, and the pod of another release does not. The operator reports a missing
# Secret.
node worker Ready
crd ships harbormaster.dev Ship
operator harbor harbormaster 1 ships.harbormaster.dev
told harbor harbormaster-canary 1 'image: "example.invalid/harbormaster:canary"'
pods_ready harbor harbormaster
pods_ready harbor harbormaster-canary
leading harbor harbormaster-leader "$(pods_of harbor harbormaster)_1"
kubectl create namespace shop
object shop Ship.v1.harbormaster.dev gull '{berth: 4}'
finalizer shop ships.harbormaster.dev gull harbormaster.dev/berth harbormaster
kubectl -n shop delete ships.harbormaster.dev gull --wait=false
says shop ships.harbormaster.dev gull harbormaster \
  "{conditions: [$(condition Ready False Failed 'Secret "berth-login" not found')]}"
late
