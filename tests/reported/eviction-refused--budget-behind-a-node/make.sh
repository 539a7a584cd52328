# As eviction-refused--do-not-disrupt, but the pod has no such annotation, and its budget does not let it go.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../eviction-refused--do-not-disrupt/make.sh"
