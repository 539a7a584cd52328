# A namespace takes the server of an aggregated API with it, and then cannot be
# found empty.
backend ok
kubectl create namespace product
backend_service product validators
api_service v1alpha1 validators.acme.io product validators "$BACKEND_PORT"
available True v1alpha1.validators.acme.io
# What keeps the namespace until after the Service is gone.
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
# No installation that is under way takes so long.
sleep 10
