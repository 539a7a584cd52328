# A backup is being deleted. Its owners are a database, whose owner is a store that is being
# deleted, and a schedule that is gone.
crd backups acme.io Backup
crd databases acme.io Database
crd stores acme.io Store
crd schedules acme.io Schedule
kubectl create namespace shop

# make KIND NAME FINALIZER [OWNER-KIND OWNER-NAME IS-CONTROLLER]... creates an object with these
# owners.
make() {
  local kind=$1 name=$2 finalizer=$3 owners=
  shift 3
  while [ $# -gt 0 ]; do
    owners+="{apiVersion: acme.io/v1, kind: $1, name: $2, controller: $3,
      uid: $(kubectl -n shop get "$1" "$2" -o jsonpath='{.metadata.uid}')},"
    shift 3
  done
  kubectl -n shop apply --field-manager=acme-operator -f - <<YAML
apiVersion: acme.io/v1
kind: $kind
metadata: {name: $name, finalizers: [$finalizer], ownerReferences: [$owners]}
YAML
}
make Store main acme.io/store
make Database orders "" Store main true
make Schedule nightly ""
make Backup orders-1 acme.io/bucket Database orders true Schedule nightly false
make Backup orders-2 acme.io/bucket Database orders true

kubectl -n shop delete backup orders-1 --wait=false
kubectl -n shop delete store main --wait=false
kubectl -n shop delete schedule nightly
late
