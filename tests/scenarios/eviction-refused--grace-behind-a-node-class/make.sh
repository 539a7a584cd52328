# As eviction-refused--behind-a-node-class, but the budget lets the pod go, which is within its grace of twelve hours.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../eviction-refused--behind-a-node-class/make.sh"
