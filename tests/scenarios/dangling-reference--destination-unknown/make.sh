# A rollout was brought to a harbor that the controller does not know. Another harbor is known.
node worker Ready
settled worker
crd rollouts ferry.example Rollout
crd harbors ferry.example Harbor
works 600 ferry ferryman rollouts.ferry.example harbors.ferry.example
kubectl create namespace shop
object ferry Harbor.v1.ferry.example lisbon '{server: "https://lisbon.example:6443"}'
object shop Rollout.v1.ferry.example web "{destination: {${DEST:-harbor: porto}}}"
finalizer shop rollouts.ferry.example web ferry.example/prune ferryman
kubectl -n shop delete rollouts.ferry.example web --wait=false
aged 30 /registry/ferry.example/rollouts/shop/web rollouts.ferry.example web -n shop
