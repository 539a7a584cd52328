# A controller reports that something was not found, by a name without a kind, and the error of a client library
# with the tail that it prints.
crd stacks delivery.example Stack
crd bundles delivery.example Bundle
node worker Ready
settled worker
works 600 delivery stack-pilot stacks.delivery.example
kubectl create namespace shop
for name in north south; do
  object shop Stack.v1.delivery.example $name
  finalizer shop stacks.delivery.example $name delivery.example/undo stack-pilot
done
kubectl -n shop delete stacks.delivery.example north south --wait=false
says shop stacks.delivery.example north stack-pilot \
  "{conditions: [$(condition Ready False UndoFailed 'cannot undo: "harbor-main" not found')]}"
says shop stacks.delivery.example south stack-pilot \
  "{conditions: [$(condition Ready False UndoFailed 'ApiError: jobs.batch is forbidden: User "system:serviceaccount:delivery:stack-pilot" cannot create resource "jobs" in API group "batch" in the namespace "shop": Forbidden (ErrorResponse { status: "Failure", message: "jobs.batch is forbidden: User \"system:serviceaccount:delivery:stack-pilot\" cannot create resource \"jobs\" in API group \"batch\" in the namespace \"shop\"", reason: "Forbidden", code: 403 })')]}"
for name in north south; do
  aged 30 /registry/delivery.example/stacks/shop/$name stacks.delivery.example $name -n shop
done
late
