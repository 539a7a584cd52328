# Like held-by-finalizer--restored-and-not-told, but the claim is still being created, and its
# driver reports what fails.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--restored-and-not-told/make.sh"
