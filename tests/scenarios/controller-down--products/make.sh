# The products of tests/products side by side, each a decoy for the others: what their charts and
# bundles leave in a cluster, and one object of each that is being deleted. The last document of a
# file is that object. The other documents belong to the product.
products=$(dirname "${BASH_SOURCE[0]}")/../../products
documents() { # documents all-but-last|last FILE
  awk -v what="$1" 'BEGIN { RS = "\n?---\n" } { doc[NR] = $0 } END {
    for (i = 2; i <= NR; i++) if ((i == NR) == (what == "last")) print "---\n" doc[i]
  }' "$2"
}
install() {
  for file in "$products"/*.yaml; do documents all-but-last "$file"; done |
    kubectl apply --server-side --force-conflicts --field-manager=helm -f -
}
wait_for 60 "the products are installed" install
kubectl wait --for=condition=Established crd --all --timeout=60s
kubectl create namespace shop
for file in "$products"/*.yaml; do
  manager=$(sed -n 's/^# manager: //p' "$file")
  guarded() { documents last "$file" | kubectl create --field-manager="$manager" -f -; }
  wait_for 20 "the object of $file" guarded
done
for file in "$products"/*.yaml; do documents last "$file"; done | kubectl delete --wait=false -f -
late
# The deletion of these objects is known to take minutes.
aged 60 /registry/infrastructure.cluster.x-k8s.io/awsclusters/shop/edge awsclusters.infrastructure.cluster.x-k8s.io edge -n shop
aged 60 /registry/cluster.x-k8s.io/clusters/shop/edge clusters.cluster.x-k8s.io edge -n shop
aged 60 /registry/controlplane.cluster.x-k8s.io/kubeadmcontrolplanes/shop/edge-control-plane \
  kubeadmcontrolplanes.controlplane.cluster.x-k8s.io edge-control-plane -n shop
aged 60 /registry/karpenter.sh/nodeclaims/default-x7k2p nodeclaims.karpenter.sh default-x7k2p
aged 60 /registry/metal3.io/baremetalhosts/shop/rack1-07 baremetalhosts.metal3.io rack1-07 -n shop
