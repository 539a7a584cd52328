# An object is a copy for another cluster, which only a label names. The object of that cluster
# reports that it does not answer.
node worker Ready
settled worker
crd placements copies.heron.example Placement
crd remoteclusters core.heron.example RemoteCluster Cluster
old_kind placements.copies.heron.example
old_kind remoteclusters.core.heron.example
works 900 heron heron-copier placements.copies.heron.example remoteclusters.core.heron.example
kubectl create namespace shop
remote() {
  kubectl apply --field-manager=heron-copier -f - <<YAML
apiVersion: core.heron.example/v1
kind: RemoteCluster
metadata: {name: $1}
status: {conditions: [{type: Connection, status: $2, reason: $3, message: "$4"}]}
YAML
  kubectl -n shop apply -f - <<YAML
apiVersion: copies.heron.example/v1
kind: Placement
metadata: {name: at-$1, labels: {heron.example/remote-cluster-id: $1}}
YAML
  finalizer shop placements.copies.heron.example "at-$1" heron.example/copy heron-copier
}
remote rome Error ApiServerNotReady 'the remote API server is not ready'
remote milan Established ApiServerReady 'the remote API server is ready'
kubectl -n shop delete placements.copies.heron.example "at-${GOES:-rome}" --wait=false
late
aged 30 "/registry/copies.heron.example/placements/shop/at-${GOES:-rome}" placements.copies.heron.example "at-${GOES:-rome}" -n shop
