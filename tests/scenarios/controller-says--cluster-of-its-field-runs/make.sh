# Like failing-reference--cluster-of-its-field-rests, but the cluster has brokers.
REPLICAS=3
. "$(dirname "${BASH_SOURCE[0]}")/../failing-reference--cluster-of-its-field-rests/make.sh"
