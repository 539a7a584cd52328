# Like resource-claim-in-use--pod-gone, but the controller manager is gone and its lease has
# expired.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../resource-claim-in-use--pod-gone/make.sh"
