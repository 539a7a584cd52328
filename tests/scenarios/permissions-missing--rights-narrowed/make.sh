# The ClusterRole of an operator was narrowed and no longer allows it to write its kind. Its
# ClusterRoleBinding still exists. Only a cluster administrator can write one, so the account that
# it names is the operator's.
node worker Ready
crd databases acme.io Database
operator ops acme-operator 1 databases.acme.io
pods_ready ops acme-operator
leading ops acme-operator-leader acme-operator-7c9f_1
kubectl create namespace shop
object shop Database.v1.acme.io orders
finalizer shop databases.acme.io orders acme.io/backup acme-operator
kubectl replace -f - <<'YAML'
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: ops-acme-operator, labels: {app.kubernetes.io/managed-by: Helm}}
rules:
- {apiGroups: [acme.io], resources: [databases], verbs: [get, list, watch]}
- {apiGroups: [acme.io], resources: [databases/status], verbs: [update, patch]}
YAML
kubectl -n shop delete databases.acme.io orders --wait=false
late
