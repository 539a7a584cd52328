# Like held-by-finalizer--cannot-report-in-its-namespace, but the add-on controller is scaled to
# zero.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--cannot-report-in-its-namespace/make.sh"
