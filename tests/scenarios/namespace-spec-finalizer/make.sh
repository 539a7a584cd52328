# The platform that added its entry to spec.finalizers is gone.
kubectl apply -f - <<'YAML'
apiVersion: v1
kind: Namespace
metadata: {name: shop}
spec: {finalizers: [openshift.io/origin]}
YAML
kubectl -n shop create configmap settings --from-literal=a=b
delete_namespace shop
wait_for 60 "the namespace controller has let go of shop" is '["openshift.io/origin"]' '{.spec.finalizers}' namespace shop
