# Six objects of one controller. Each has a condition that says why, in the ways of different controllers:
# without a status, by its type alone, with status True, with False, with Unknown, and with its reason. Another has
# conditions of the same types that report no trouble. All but that one name a login that is gone.
crd stacks delivery.example Stack
node worker Ready
settled worker
works 600 delivery stack-pilot stacks.delivery.example
kubectl create namespace shop
all=(plain pinned recoverable launch unknown expired fine)
for name in "${all[@]}"; do
  object shop Stack.v1.delivery.example "$name" "{login: {secretRef: {name: login-$name}}}"
  finalizer shop stacks.delivery.example "$name" delivery.example/undo stack-pilot
done
kubectl -n shop create secret generic login-fine --from-literal=a=b
kubectl -n shop delete stacks.delivery.example "${all[@]}" --wait=false
plain="{type: DeletionError, message: 'cannot delete the release: dial tcp 192.0.2.7:443: connect: connection refused', lastTransitionTime: \"$(now)\"}"
pinned="{type: DeletionError, message: release r7 is pinned}"
recoverable="{type: Recoverable, status: 'True', message: 'AccessDenied: role pilot may not call DeleteStack'}"
launch="{type: Launched, status: 'False', reason: LaunchFailed, message: quota of region eu-1 exceeded, lastTransitionTime: \"$(now)\"}"
unknown="{type: Ready, status: Unknown, reason: ProbeFailed, message: 'cannot list releases: x509: certificate has expired', lastTransitionTime: \"$(now)\"}"
expired="{type: Login, status: 'False', reason: Expired, message: the user pilot-7 expired}"
fine="{type: DeletionError, status: 'False', message: the release is pinned}, {type: Recoverable, status: 'False', message: ''}, {type: Launched, status: 'True', reason: Launched, message: 'the stack was launched'}"
for name in "${all[@]}"; do
  says shop stacks.delivery.example "$name" stack-pilot "{conditions: [${!name}]}"
done
for name in "${all[@]}"; do
  aged 30 /registry/delivery.example/stacks/shop/"$name" stacks.delivery.example "$name" -n shop
done
late
