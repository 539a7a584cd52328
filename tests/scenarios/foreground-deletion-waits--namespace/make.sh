# A namespace is deleted in the foreground and waits for a cluster-scoped dependent that a finalizer
# holds.
kubectl create namespace shop
kubectl apply --field-manager=acme-operator -f - <<YAML
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: shop-reader, finalizers: [acme.io/tenant], ownerReferences: [$(owner ns shop)]}
rules: []
YAML
seen
foreground namespace shop
wait_for 60 "its content is gone" is "" '{.spec.finalizers}' namespace shop
late
