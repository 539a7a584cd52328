# The last instances of a definition are in a namespace that was finalized by force and in one that
# exists. Their operator is gone.
crd widgets acme.io Widget
for namespace in gone shop; do
  kubectl create namespace "$namespace"
  object "$namespace" Widget.v1.acme.io one
  finalizer "$namespace" widgets.acme.io one acme.io/cleanup acme-operator
done
force_finalize gone
kubectl delete crd widgets.acme.io --wait=false
sleep 11
