# kubernetes/kubernetes#77086: an entry in a namespace's spec.finalizers that nobody runs.
node worker Ready
settled worker
works 600 capsule-system capsule-controller-manager namespaces.
works 600 hnc-system hnc-controller-manager namespaces.
kubectl apply -f - <<'YAML'
apiVersion: v1
kind: Namespace
metadata: {name: delete-me}
spec: {finalizers: [foregroundDeletion]}
YAML
furnished delete-me
delete_namespace delete-me
