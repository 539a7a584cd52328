# Nobody has deleted this namespace, and an object in it has a finalizer.
kubectl create namespace shop
kubectl -n shop apply -f - <<'YAML'
apiVersion: v1
kind: ConfigMap
metadata: {name: state, finalizers: [acme.io/state]}
YAML
