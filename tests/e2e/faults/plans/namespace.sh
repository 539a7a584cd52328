# An entry of spec.finalizers holds one namespace, and an aggregated API without a Service holds
# another.
kubectl apply -f - <<'YAML'
apiVersion: v1
kind: Namespace
metadata: {name: shop}
spec: {finalizers: [openshift.io/origin]}
YAML
delete_namespace shop
wait_for 60 "the namespace controller has let go of shop" is '["openshift.io/origin"]' '{.spec.finalizers}' namespace shop
kubectl create namespace legacy
api_service v1beta1 metrics.k8s.io kube-system metrics-server
available False v1beta1.metrics.k8s.io
delete_namespace legacy
