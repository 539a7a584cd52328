# An object says since before its deletion that its user has expired, and names a login that is gone. Nobody says
# that the login is missing. Another object lacks its login and says nothing.
crd stacks delivery.example Stack
old_kind stacks.delivery.example
node worker Ready
settled worker
works 600 delivery stack-pilot stacks.delivery.example
kubectl create namespace shop
old 300 /registry/namespaces/shop namespace shop
for name in expired quiet; do
  object shop Stack.v1.delivery.example "$name" "{login: {credentialsSecretRef: {name: login-$name}}}"
  finalizer shop stacks.delivery.example "$name" delivery.example/undo stack-pilot
done
says shop stacks.delivery.example expired stack-pilot \
  "{conditions: [$(condition Login False Expired 'the user pilot-7 expired')]}"
for name in expired quiet; do
  old 120 /registry/delivery.example/stacks/shop/"$name" stacks.delivery.example "$name" -n shop
done
kubectl -n shop delete stacks.delivery.example expired quiet --wait=false
sleep 70
