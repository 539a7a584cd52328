# Like namespace-spec-finalizer, beside a read-only kind: it shows an object in every namespace that
# nobody can delete, like pod metrics or the packages of a catalogue. Such a kind holds no
# namespace.
backend readonly
kubectl create namespace things
backend_service things things
api_service v1 things.acme.io things things "$BACKEND_PORT"
available True v1.things.acme.io
shown() { kubectl -n shop get things.things.acme.io one; }
kubectl apply -f - <<'YAML'
apiVersion: v1
kind: Namespace
metadata: {name: shop}
spec: {finalizers: [openshift.io/origin]}
YAML
wait_for 20 "the kind is served" shown
delete_namespace shop
wait_for 60 "the namespace controller has let go of shop" is '["openshift.io/origin"]' '{.spec.finalizers}' namespace shop
