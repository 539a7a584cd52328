# A working operator cannot remove its finalizer: every update calls a webhook of another product
# that was uninstalled. A second dead webhook, for backups, is unrelated.
node worker Ready
crd databases acme.io Database
crd backups acme.io Backup
operator ops acme-operator 1 databases.acme.io
pods_ready ops acme-operator
leading ops acme-operator acme-operator_1
kubectl create namespace shop
for name in orders users; do
  object shop Database.v1.acme.io $name
  finalizer shop databases $name acme.io/backup acme-operator
done
dead_webhook virt UPDATE acme.io databases
dead_webhook backups '"*"' acme.io backups
work() {
  local name
  for name in orders users; do
    kubectl -n shop patch database $name --type=merge --field-manager=acme-operator -p 'metadata: {finalizers: []}'
  done
}
every 2 work <&3 >/dev/null 2>&1 &
delete_namespace shop
