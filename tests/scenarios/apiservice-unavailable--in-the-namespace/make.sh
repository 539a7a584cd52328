# A namespace contains the server of an aggregated API. Deleting the namespace deletes the server,
# so the namespace controller can no longer list all content.
backend ok
kubectl create namespace product
backend_service product validators
api_service v1alpha1 validators.acme.io product validators "$BACKEND_PORT"
available True v1alpha1.validators.acme.io
# This finalizer keeps the namespace until the Service is gone.
kubectl -n product apply -f - <<'YAML'
apiVersion: v1
kind: ConfigMap
metadata: {name: state, finalizers: [acme.io/state]}
YAML
kubectl delete namespace product --wait=false
available False v1alpha1.validators.acme.io
kubectl -n product patch configmap state --type=merge -p '{"metadata":{"finalizers":null}}'
looked product
wait_for 60 "the namespace controller has met it" \
  is True '{.status.conditions[?(@.type=="NamespaceDeletionDiscoveryFailure")].status}' namespace product
# Wait longer than an installation in progress could take.
sleep 10
