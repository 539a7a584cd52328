# The namespace controller had finished with the namespace before the API became unavailable. Only
# the finalizer on the Namespace still holds it.
kubectl apply --field-manager=rancher -f - <<'YAML'
apiVersion: v1
kind: Namespace
metadata: {name: shop, finalizers: [controller.cattle.io/namespace-auth]}
YAML
delete_namespace shop
wait_for 60 "the namespace controller has let go of shop" is "" '{.spec.finalizers}' namespace shop
api_service v1beta1 metrics.k8s.io kube-system metrics-server
available False v1beta1.metrics.k8s.io
