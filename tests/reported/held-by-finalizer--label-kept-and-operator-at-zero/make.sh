# Like held-by-finalizer--label-taken-off-before, but the pod has its label, and the operator is at
# zero.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--label-taken-off-before/make.sh"
