# A lock of a canal is emptied after the one above it. That one is gone, and its name is left in a
# finalizer and in a message. Another lock is well.
node worker Ready
settled worker
crd locks towpath.example Lock
works 600 canal towpath locks.towpath.example
kubectl create namespace valley
for name in sea-gate ${THERE:-}; do
  object valley Lock.v1.towpath.example "$name"
  says valley locks.towpath.example "$name" towpath "{conditions: [$(condition Ready True Filled)]}"
done
object valley Lock.v1.towpath.example mill
finalizer valley locks.towpath.example mill towpath.example/upper-weir towpath
kubectl -n valley delete locks.towpath.example mill --wait=false
says valley locks.towpath.example mill towpath \
  "{conditions: [$(condition Ready False Blocked 'waiting for upper-weir')]}"
aged 40 /registry/towpath.example/locks/valley/mill locks.towpath.example mill -n valley
