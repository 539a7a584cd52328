# As held-by-finalizer--snapshot-sidecar-silent, but the driver's controller, with the sidecar, is at zero.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--snapshot-sidecar-silent/make.sh"
