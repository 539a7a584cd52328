# Like failing-reference--its-cluster-rests, but the cluster has brokers.
REPLICAS=3
. "$(dirname "${BASH_SOURCE[0]}")/../failing-reference--its-cluster-rests/make.sh"
