# Nobody has asked for this namespace to go, whatever finalizers are in it.
kubectl create namespace shop
kubectl -n shop apply -f - <<'YAML'
apiVersion: v1
kind: ConfigMap
metadata: {name: state, finalizers: [acme.io/state]}
YAML
