# A database waits for its cluster, the cluster for its site, and the site for an operator at zero
# replicas. The three belong to three products, and the first two operators run.
node worker Ready
crd databases acme.io Database
crd clusters fleet.example Cluster Cluster
crd sites ground.example Site Cluster
operator ops acme-operator 1 databases.acme.io
operator fleet fleet-manager 1 clusters.fleet.example
operator ground site-operator 0 sites.ground.example
pods_ready ops acme-operator
pods_ready fleet fleet-manager
leading ops acme-operator-leader acme-operator-7c9f_1
leading fleet fleet-manager-leader fleet-manager-66d5_1
kubectl create namespace shop
object shop Database.v1.acme.io orders
cluster_scoped() {
  kubectl apply -f - <<YAML
apiVersion: $1
kind: $2
metadata: {name: $3}
YAML
}
cluster_scoped fleet.example/v1 Cluster north
cluster_scoped ground.example/v1 Site alpha
finalizer shop databases.acme.io orders acme.io/backup acme-operator
kubectl patch cluster.fleet.example north --type=merge --field-manager=fleet-manager \
  -p 'metadata: {finalizers: [fleet.example/drain]}'
kubectl patch site.ground.example alpha --type=merge --field-manager=site-operator \
  -p 'metadata: {finalizers: [ground.example/lease]}'
kubectl delete site.ground.example/alpha cluster.fleet.example/north --wait=false
delete_namespace shop
says shop databases.acme.io orders acme-operator \
  "{conditions: [$(condition Deleted False Blocked 'waiting until Cluster north is gone')]}"
kubectl patch cluster.fleet.example north --type=merge --field-manager=fleet-manager \
  -p "status: {conditions: [$(condition Deleted False Blocked 'cannot drain: Site alpha has to be deleted first')]}"
