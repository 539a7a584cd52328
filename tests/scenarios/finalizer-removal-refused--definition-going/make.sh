# A definition is deleted. Its last object waits for an operator that was uninstalled, like the
# operator's webhook. Discovery no longer lists the verb update for the kind, although the API
# server accepts updates. A match condition of a second dead webhook excludes objects that are being
# deleted.
crd rotors spin.dev Rotor
namespace shop
operator ops spin-operator 1 rotors.spin.dev
object shop Rotor.v1.spin.dev main
finalizer shop rotors.spin.dev main spin.dev/brake spin-operator
kubectl -n ops delete deployment,serviceaccount spin-operator
kubectl delete clusterrole,clusterrolebinding ops-spin-operator
dead_webhook spin UPDATE spin.dev rotors
dead_webhook guard UPDATE spin.dev rotors
kubectl patch validatingwebhookconfiguration guard --type=json -p '[{"op": "add", "path": "/webhooks/0/matchConditions",
  "value": [{"name": "alive", "expression": "!has(object.metadata.deletionTimestamp)"}]}]'
sleep 2
kubectl delete crd rotors.spin.dev --wait=false
kubectl -n shop wait --for=jsonpath='{.metadata.deletionTimestamp}' rotor/main --timeout=60s
late
