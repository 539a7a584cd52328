# Somebody put the finalizer of an operator back with kubectl edit. The operator removes it, but is
# scaled to 0.
crd ferns larkspur.example Fern
operator green larkspur 0 ferns.larkspur.example
released_by green larkspur crd ferns.larkspur.example
kubectl create namespace shop
object shop Fern.v1.larkspur.example moss
KUBE_EDITOR="sed -i 's|^metadata:|metadata:\n  finalizers: [larkspur.example/spores]|'" \
  kubectl -n shop edit ferns.larkspur.example moss
kubectl -n shop delete ferns.larkspur.example moss --wait=false
late
