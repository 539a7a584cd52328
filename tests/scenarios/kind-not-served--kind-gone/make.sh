# A farm refers to a kind whose definition somebody deleted. Its operator runs and gives no reason.
node worker Ready
crd farms land.acme.io Farm
crd fields soil.acme.io Field Namespaced v2
operator yard farm-operator 1 farms.land.acme.io fields.soil.acme.io
pods_ready yard farm-operator
kubectl create namespace shop
object shop Farm.v1.land.acme.io north \
  '{plotRef: {apiVersion: soil.acme.io/v1, kind: Field, name: north}, outputRef: {apiVersion: grain.acme.io/v1, kind: Crop, name: north}}'
finalizer shop farms.land.acme.io north land.acme.io/fields farm-operator
kubectl delete crd fields.soil.acme.io --wait=true
unserved() { ! kubectl get fields.soil.acme.io -A; }
wait_for 20 "the kind is gone" unserved
kubectl -n shop delete farms.land.acme.io north --wait=false
aged 60 /registry/land.acme.io/farms/shop/north farms.land.acme.io north -n shop
pods_running_since 300 yard farm-operator
