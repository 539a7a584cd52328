# The operator of two objects deletes what they list, using the account that each names. One account
# may delete it, and the other may only read it. The operator gives no reason.
node worker Ready
crd kustoms fleet.example Kustom
operator ops fleet-operator 1 kustoms.fleet.example
pods_ready ops fleet-operator
leading ops fleet-operator-leader fleet-operator-7c9f_1
kubectl create namespace sea
for pair in reader:get writer:delete; do
  name=${pair%:*} verb=${pair#*:}
  kubectl -n sea create serviceaccount "$name"
  kubectl -n sea create role "$name" --verb="$verb" --resource=configmaps
  kubectl -n sea create rolebinding "$name" --role="$name" --serviceaccount="sea:$name"
  kubectl -n sea create configmap "of-$name"
  object sea Kustom.v1.fleet.example "$name" "{serviceAccountName: $name}"
  finalizer sea kustoms.fleet.example "$name" fleet.example/prune fleet-operator
  says sea kustoms.fleet.example "$name" fleet-operator "{inventory: {entries: [{id: sea_of-${name}__ConfigMap, v: v1}]}}"
done
kubectl -n sea delete kustoms.fleet.example reader writer --wait=false
late
