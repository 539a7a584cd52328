# Like scaled-to-zero--one-for-each-cluster, but the deleted object belongs to the cluster whose
# watcher runs.
ASKED=east
. "$(dirname "${BASH_SOURCE[0]}")/../scaled-to-zero--one-for-each-cluster/make.sh"
