# A controller keeps guests until the handler on their node has stopped them. The handler is a
# DaemonSet of the same release, and does not tolerate a taint of the node of one guest.
node worker Ready
node east Ready
settled worker east
[ -n "${TWIN:-}" ] || kubectl taint node east hardware=fpga:NoExecute
crd guests paddock.dev Guest
leads paddock paddock-controller paddock-lead 1 guests.paddock.dev
agents paddock paddock-handler guests.paddock.dev
for it in deployment/paddock-controller daemonset/paddock-handler; do
  kubectl -n paddock annotate --overwrite $it meta.helm.sh/release-name=paddock
done
[ -n "${TWIN:-}" ] && count=2 || count=1
agents_ready paddock paddock-handler $count
pods_running_since 600 paddock paddock-handler agent
kubectl create namespace shop
for name in bay grey; do
  object shop Guest.v1.paddock.dev $name '{running: true}'
  finalizer shop guests.paddock.dev $name paddock.dev/guest paddock-controller
done
says shop guests.paddock.dev bay paddock-controller '{phase: Running, nodeName: east}'
says shop guests.paddock.dev grey paddock-controller '{phase: Running, nodeName: worker}'
deleted 40 guests.paddock.dev bay shop
