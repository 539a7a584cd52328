# A field became required after these objects were created. One object has the field and can be
# released. The other lacks it, so nobody can update it.
crd widgets acme.io Widget
kubectl create namespace shop
for name in old whole; do
  object shop Widget.v1.acme.io "$name"
  finalizer shop widgets.acme.io "$name" acme.io/cleanup acme-operator
done
kubectl -n shop patch widgets.acme.io whole --type=merge -p '{"owner": "me"}'
kubectl patch crd widgets.acme.io --type=json -p '[{"op": "add",
  "path": "/spec/versions/0/schema/openAPIV3Schema/required", "value": ["owner"]},
  {"op": "add", "path": "/spec/versions/0/schema/openAPIV3Schema/properties", "value": {"owner": {"type": "string"}}}]'
refused() { ! kubectl -n shop label widgets.acme.io old probe=x --dry-run=server; }
wait_for 30 "the schema refuses it" refused
kubectl -n shop delete widgets.acme.io old whole --wait=false
late
