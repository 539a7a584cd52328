# Ten objects that the same finalizer holds. They are released in batches of one, two, four and
# three.
for number in 0 1 2 3 4 5 6 7 8 9; do
  kubectl apply -f - <<YAML
{apiVersion: v1, kind: ConfigMap, metadata: {name: held-$number, labels: {batch: all}, finalizers: [acme.io/hold]}}
YAML
done
kubectl delete configmap -l batch=all --wait=false
late
