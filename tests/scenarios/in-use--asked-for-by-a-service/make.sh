# An address pool is kept while Services request it by an annotation.
node worker Ready
crd vippools fiberlb.dev VIPPool Cluster
operator fiber fiberlb 1 vippools.fiberlb.dev services.
pods_ready fiber fiberlb
kubectl apply -f - <<YAML
apiVersion: fiberlb.dev/v1
kind: VIPPool
metadata: {name: public}
YAML
kubectl patch vippools.fiberlb.dev public --type=merge --field-manager=fiberlb -p 'metadata: {finalizers: [fiberlb.dev/pool]}'
kubectl create namespace shop
for pool in public internal; do
  kubectl -n shop create service clusterip "web-$pool" --tcp=80
  kubectl -n shop annotate service "web-$pool" "fiberlb.dev/pool-class=$pool"
done
kubectl delete vippools.fiberlb.dev public --wait=false
late
