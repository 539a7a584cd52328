# Since an update an operator has Roles in its own namespace instead of a ClusterRole. It had set a
# finalizer in another namespace before.
node worker Ready
settled worker
crd hedges bramble.example Hedge
works 600 garden bramble
kubectl create namespace team-a
# roles NAMESPACE RESOURCE creates a Role for the operator there.
roles() {
  kubectl -n "$1" create role bramble --verb=get,list,watch,update,patch --resource="$2"
  kubectl -n "$1" create rolebinding bramble --role=bramble --serviceaccount=garden:bramble
}
roles garden "${MAY_WRITE:-hedges.bramble.example}"
[ -z "${BOTH:-}" ] || roles team-a hedges.bramble.example
for namespace in garden team-a; do
  object $namespace Hedge.v1.bramble.example yew
  finalizer $namespace hedges.bramble.example yew bramble.example/roots bramble
done
kubectl -n team-a delete hedges.bramble.example yew --wait=false
aged 40 /registry/bramble.example/hedges/team-a/yew hedges.bramble.example yew -n team-a
