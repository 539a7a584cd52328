# Objects whose owner is gone, is in another namespace, has a kind that is not served, or is
# namespaced while the object is cluster-scoped; and one whose owner exists. A dead webhook refuses
# the garbage collector's requests.
dead_webhook guard '"DELETE", "UPDATE"' "" configmaps '{matchLabels: {guarded: "yes"}}'
for namespace in shop other; do
  kubectl create namespace "$namespace"
  kubectl label namespace "$namespace" guarded=yes
done
kubectl -n shop create configmap boss
kubectl -n other create configmap boss
uid() { kubectl -n "$1" get configmap boss -o jsonpath='{.metadata.uid}'; }
nobody=11111111-1111-4111-8111-111111111111
names_owner shop fine v1 ConfigMap boss "$(uid shop)"
names_owner shop overdue v1 ConfigMap nobody "$nobody"
names_owner shop replaced v1 ConfigMap boss 22222222-2222-4222-8222-222222222222
names_owner shop across v1 ConfigMap boss "$(uid other)"
names_owner shop unserved acme.io/v1 Shelf shelf 33333333-3333-4333-8333-333333333333
kubectl apply -f - <<YAML
apiVersion: v1
kind: ConfigMap
metadata:
  name: beside
  namespace: shop
  ownerReferences:
  - {apiVersion: v1, kind: ConfigMap, name: nobody, uid: $nobody}
  - {apiVersion: v1, kind: ConfigMap, name: boss, uid: $(uid shop)}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: nowhere
  ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: boss, uid: $(uid shop)}]
rules: []
YAML
late
