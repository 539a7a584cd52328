# A provider of addresses reads the cluster of a claim before it releases the address. A label names
# that cluster, which was deleted first. The claim of another cluster is healthy.
node worker Ready
settled worker
crd clusters fleet.example Cluster
crd claims ipam.fleet.example AddressClaim
works 600 ipam-system ipam-provider claims.ipam.fleet.example
kubectl create namespace metal
for cluster in edge-7 edge-8; do
  kubectl -n metal apply --field-manager=fleetctl -f - <<YAML
apiVersion: ipam.fleet.example/v1
kind: AddressClaim
metadata: {name: $cluster-node-0, labels: {fleet.example/cluster-name: $cluster}}
spec: {pool: rack-2}
YAML
  kubectl -n metal patch claims.ipam.fleet.example $cluster-node-0 --type=merge --field-manager=ipam-provider \
    -p 'metadata: {finalizers: [ipam.fleet.example/release-address]}'
  [[ $cluster == edge-7 && -z ${TWIN:-} ]] || kubectl -n metal apply -f - <<YAML
apiVersion: fleet.example/v1
kind: Cluster
metadata: {name: $cluster}
YAML
done
kubectl -n metal delete claims.ipam.fleet.example edge-7-node-0 --wait=false
late
aged 95 /registry/ipam.fleet.example/claims/metal/edge-7-node-0 claims.ipam.fleet.example edge-7-node-0 -n metal
