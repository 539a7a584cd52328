# An operator handles the vats of one class. The vat has another class, which no operator handles.
node worker Ready
crd vats brewline.dev Vat
told brew brewline 1 'args: ["--class-name=copper"]' vats.brewline.dev
pods_ready brew brewline
kubectl create namespace team-a
object team-a Vat.v1.brewline.dev stout '{className: steel}'
object team-a Vat.v1.brewline.dev ale '{className: copper}'
finalizer team-a vats.brewline.dev stout brewline.dev/drain brewline
finalizer team-a vats.brewline.dev ale brewline.dev/drain brewline
kubectl -n team-a delete vats.brewline.dev stout --wait=false
late
