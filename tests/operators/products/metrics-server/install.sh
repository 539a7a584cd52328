# Functions for states of an aggregated API.

install_metrics_server() {
  kustomized "$METRICS_SERVER/manifests" base >"$PLANE/metrics-server.yaml"
  # The certificate of this node's kubelet does not contain its address.
  sed -i 's/^\( *\)- --metric-resolution=.*/&\n\1- --kubelet-insecure-tls/' "$PLANE/metrics-server.yaml"
  apply_as_installer "$PLANE/metrics-server.yaml"
  up kube-system metrics-server
  metrics_available True
}

# metrics_available True|False waits until the API server reports this availability.
metrics_available() {
  wait_for 120 "the API is said to be available: $1" is "$1" '{.status.conditions[?(@.type=="Available")].status}' \
    apiservice v1beta1.metrics.k8s.io
  [ "$1" = False ] || wait_for 60 "nodes are measured" kubectl get --raw /apis/metrics.k8s.io/v1beta1/nodes
}

# a_namespace creates a namespace with a ConfigMap.
a_namespace() {
  namespace shop
  kubectl -n shop create configmap settings --from-literal=a=b
}
