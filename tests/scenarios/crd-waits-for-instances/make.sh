# A definition waits for its instances in two namespaces, and these wait for an operator at zero
# replicas. Its conversion webhook does not exist, but is not called because there is only one
# version. Another definition is not being deleted.
versions widgets acme.io Widget v1 "$(dead_conversion gone conv)"
versions gadgets acme.io Gadget v1 "$no_conversion"
wait_for 20 "both are served" kubectl get widgets.acme.io,gadgets.acme.io -A
operator ops acme-operator 0 widgets.acme.io
for namespace in shop store; do
  kubectl create namespace "$namespace"
  object "$namespace" Widget.v1.acme.io one
  finalizer "$namespace" widgets.acme.io one acme.io/cleanup acme-operator
done
object shop Gadget.v1.acme.io bystander
kubectl delete crd widgets.acme.io --wait=false
sleep 11
