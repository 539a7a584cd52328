# Like eviction-refused--grace-said-by-its-machine, but the pod's grace period is over.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../eviction-refused--grace-said-by-its-machine/make.sh"
