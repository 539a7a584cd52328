# Two operators use one framework, which gives both the same finalizer and field manager. The keg's
# operator runs and reports a missing Secret. The other one is scaled to 0.
node worker Ready
crd kegs taphouse.dev Keg
crd vats cellarage.dev Vat
operator tap taphouse 1 kegs.taphouse.dev
operator cellar cellarage 0 vats.cellarage.dev
pods_ready tap taphouse
kubectl create namespace shop
object shop Keg.v1.taphouse.dev stout '{size: 1Gi}'
finalizer shop kegs.taphouse.dev stout kopf.zalando.org/KopfFinalizerMarker kopf
object shop Vat.v1.cellarage.dev red '{size: 1Gi}'
finalizer shop vats.cellarage.dev red kopf.zalando.org/KopfFinalizerMarker kopf
kubectl -n shop delete kegs.taphouse.dev stout --wait=false
says shop kegs.taphouse.dev stout kopf \
  "{conditions: [$(condition Released False ReleaseFailed 'Secret "keg-login" not found')]}"
late
