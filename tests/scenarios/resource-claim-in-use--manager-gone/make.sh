# As resource-claim-in-use--pod-gone, but the controller manager is gone: nobody has renewed its lease.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../resource-claim-in-use--pod-gone/make.sh"
