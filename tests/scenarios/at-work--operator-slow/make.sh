# An operator makes progress: it has released four of twelve objects, one after the other.
node worker Ready
crd databases acme.io Database
operator ops acme-operator 1 databases.acme.io
pods_ready ops acme-operator
leading ops acme-operator-leader acme-operator-7c9f_1
kubectl create namespace shop
for number in $(seq -w 12); do
  object shop Database.v1.acme.io "orders-$number"
  finalizer shop databases "orders-$number" acme.io/backup acme-operator
done
kubectl delete namespace shop --wait=false
looked shop
for number in 01 02 03 04; do
  sleep 3
  kubectl -n shop patch database "orders-$number" --type=merge --field-manager=acme-operator \
    -p 'metadata: {finalizers: null}'
done
