# Like failing-reference--entry-names-a-cluster, but that cluster was removed.
. "$(dirname "${BASH_SOURCE[0]}")/../failing-reference--entry-names-a-cluster/make.sh"
kubectl delete ships.flotilla.example h-k-7x2vdq9k
