# Like held-by-finalizer--says-it-in-its-log-only, but the operator also writes the reason to the
# status.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--says-it-in-its-log-only/make.sh"
