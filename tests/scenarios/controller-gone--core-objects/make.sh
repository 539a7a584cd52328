# An operator also puts finalizers on objects of the core group. `kubectl get all` shows nothing in
# the namespace.
kubectl create namespace rook-ceph
kubectl apply --field-manager=rook -f - <<'YAML'
apiVersion: v1
kind: ConfigMap
metadata: {name: rook-ceph-mon-endpoints, namespace: rook-ceph, finalizers: [ceph.rook.io/disaster-protection]}
---
apiVersion: v1
kind: Secret
metadata: {name: rook-ceph-mon, namespace: rook-ceph, finalizers: [ceph.rook.io/disaster-protection]}
stringData: {ceph-secret: not-a-real-one}
YAML
# These objects have no finalizers.
kubectl -n rook-ceph create configmap rook-config-override --from-literal=a=b
kubectl -n rook-ceph create serviceaccount rook-ceph-osd
delete_namespace rook-ceph
