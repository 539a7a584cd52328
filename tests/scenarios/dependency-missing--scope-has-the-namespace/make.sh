# An operator watches two namespaces, including the object's, and reports a missing Secret.
node worker Ready
crd vats brewline.dev Vat
told brew brewline 1 'env: [{name: WATCH_NAMESPACE, value: "team-b,team-a"}]' vats.brewline.dev
pods_ready brew brewline
kubectl create namespace team-a
kubectl create namespace team-b
object team-a Vat.v1.brewline.dev stout
finalizer team-a vats.brewline.dev stout brewline.dev/drain brewline
kubectl -n team-a delete vats.brewline.dev stout --wait=false
says team-a vats.brewline.dev stout brewline \
  "{conditions: [$(condition Ready False DrainFailed 'Secret "valve-pin" not found')]}"
late
