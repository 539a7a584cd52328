# The same, beside a kind of which every namespace shows an object that nobody can
# delete, as the metrics of pods and the packages of a catalogue are shown: such a
# kind holds up no namespace.
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
