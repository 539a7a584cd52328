# Like failing-reference--label-names-a-sick-cluster, but the deleted object is for the cluster that
# answers.
GOES=milan
. "$(dirname "${BASH_SOURCE[0]}")/../failing-reference--label-names-a-sick-cluster/make.sh"
