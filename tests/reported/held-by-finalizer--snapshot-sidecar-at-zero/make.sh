# Like held-by-finalizer--snapshot-sidecar-silent, but the driver's controller, including the
# sidecar, is at zero.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--snapshot-sidecar-silent/make.sh"
