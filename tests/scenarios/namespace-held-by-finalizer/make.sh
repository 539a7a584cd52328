# Rancher put a finalizer on the Namespace itself and was then removed from the cluster.
kubectl apply --field-manager=rancher -f - <<'YAML'
apiVersion: v1
kind: Namespace
metadata: {name: shop, finalizers: [controller.cattle.io/namespace-auth]}
---
apiVersion: v1
kind: Namespace
metadata: {name: calm, finalizers: [controller.cattle.io/namespace-auth]}
YAML
kubectl -n shop create configmap settings --from-literal=a=b
delete_namespace shop
wait_for 60 "the namespace controller has let go of shop" is "" '{.spec.finalizers}' namespace shop
