# Like eviction-refused--do-not-disrupt, but the pod has no such annotation, and its budget does not
# allow the eviction.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../eviction-refused--do-not-disrupt/make.sh"
