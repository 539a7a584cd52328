# Like failing-reference--entry-names-a-cluster, but the cluster is connected.
CONNECTED=True
. "$(dirname "${BASH_SOURCE[0]}")/../failing-reference--entry-names-a-cluster/make.sh"
