# The controller manager has stopped, as its lease shows, and a dependent was never deleted.
kubectl create namespace shop
owned shop store
owned shop database "" "$(owner cm store shop)"
seen
manager KILL
kubectl apply -f - <<YAML
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: {name: kube-controller-manager, namespace: kube-system}
spec: {holderIdentity: master-1, leaseDurationSeconds: 15, renewTime: "2026-01-01T00:00:00.000000Z"}
YAML
foreground cm store -n shop
late
