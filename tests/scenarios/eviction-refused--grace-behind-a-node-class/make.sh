# Like eviction-refused--behind-a-node-class, but the budget allows the eviction, and the pod is
# within its grace period of twelve hours.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../eviction-refused--behind-a-node-class/make.sh"
