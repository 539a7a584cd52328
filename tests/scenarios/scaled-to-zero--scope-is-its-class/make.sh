# Each class of vats has its own operator. The operator of the vat's class is at 0, and that of
# another class runs.
node worker Ready
crd vats brewline.dev Vat
told brew brewline-copper 1 'args: ["--class-name=copper"]' vats.brewline.dev
told brew brewline-steel 0 'args: ["--class-name=steel"]' vats.brewline.dev
pods_ready brew brewline-copper
kubectl create namespace team-a
object team-a Vat.v1.brewline.dev stout '{className: steel}'
finalizer team-a vats.brewline.dev stout brewline.dev/drain brewline
kubectl -n team-a delete vats.brewline.dev stout --wait=false
late
