# Somebody removed the finalizer of a definition. Now the product is installed again: its old object
# is back and is being deleted. A new object is healthy.
crd widgets acme.io Widget
kubectl create namespace shop
object shop Widget.v1.acme.io old
finalizer shop widgets.acme.io old acme.io/cleanup acme-operator
kubectl delete crd widgets.acme.io --wait=false
deleting() { test -n "$(kubectl -n shop get widgets.acme.io old -o jsonpath='{.metadata.deletionTimestamp}')"; }
wait_for 20 "its instance is being deleted" deleting
kubectl patch crd widgets.acme.io --type=merge -p '{"metadata":{"finalizers":null}}'
wait_for 20 "the definition is gone" gone crd widgets.acme.io
sleep 4
crd widgets acme.io Widget
back() { kubectl -n shop get widgets.acme.io old; }
wait_for 30 "the old object is back" back
object shop Widget.v1.acme.io new
late
