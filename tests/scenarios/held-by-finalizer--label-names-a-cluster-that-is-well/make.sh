# As held-by-finalizer--label-names-a-sick-cluster, but the object for the cluster that answers goes.
GOES=milan
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--label-names-a-sick-cluster/make.sh"
