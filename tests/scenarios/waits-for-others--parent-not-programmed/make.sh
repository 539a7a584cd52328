# Like dependency-missing--parent-gone-first, but the control plane exists and reports why it cannot
# be used.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../dependency-missing--parent-gone-first/make.sh"
