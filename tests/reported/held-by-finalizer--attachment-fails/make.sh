# Like held-by-finalizer--attachment-went-first, but the attachment exists, and its controller
# cannot log in.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--attachment-went-first/make.sh"
