# Somebody set a finalizer with kubectl edit, so that nobody deletes a list. No controller knows it.
# Another operator may write every ConfigMap and has set a finalizer on another one.
node worker Ready
settled worker
works 600 post carrier-dove configmaps.
kubectl create namespace shop
kubectl -n shop create configmap phones --from-literal=a=b
kubectl -n shop create configmap routes --from-literal=a=b
finalizer shop configmap routes dove.example/route carrier-dove
KUBE_EDITOR="sed -i 's|^metadata:|metadata:\n  finalizers: [larkspur.example/ask-us-first]|'" \
  kubectl -n shop edit configmap phones
kubectl -n shop delete configmap phones --wait=false
late
