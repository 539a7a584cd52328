# An operator watches one namespace, and the object is in another one.
node worker Ready
crd vats brewline.dev Vat
told brew brewline 1 'env: [{name: WATCH_NAMESPACE, value: team-b}]' vats.brewline.dev
pods_ready brew brewline
kubectl create namespace team-a
kubectl create namespace team-b
object team-a Vat.v1.brewline.dev stout
object team-b Vat.v1.brewline.dev ale
finalizer team-a vats.brewline.dev stout brewline.dev/drain brewline
finalizer team-b vats.brewline.dev ale brewline.dev/drain brewline
kubectl -n team-a delete vats.brewline.dev stout --wait=false
late
