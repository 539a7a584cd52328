# An operator is scaled to zero, and the user may list everything but its custom resources. The
# deletion is as old as a cleanup normally takes.
groups=$(kubectl api-versions | grep / | cut -d/ -f1 | sort -u | paste -sd,)
kubectl apply -f - <<YAML
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: looker}
rules:
- {apiGroups: ["", $groups], resources: ["*"], verbs: [get, list]}
YAML
kubectl create clusterrolebinding looker --clusterrole=looker --user=bob
crd databases acme.io Database
operator ops acme-operator 0 databases.acme.io
kubectl create namespace shop
object shop Database.v1.acme.io orders
finalizer shop databases orders acme.io/backup acme-operator
object shop Database.v1.acme.io prices
finalizer shop databases prices acme.io/backup acme-operator
delete_namespace shop
sleep 62
