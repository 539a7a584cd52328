# As held-by-finalizer--one-for-each-cluster, but what is deleted is of the cluster whose watcher runs.
ASKED=east
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--one-for-each-cluster/make.sh"
