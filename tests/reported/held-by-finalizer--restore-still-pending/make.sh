# As held-by-finalizer--restored-and-not-told, but the claim is still being made, and its driver says what fails.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--restored-and-not-told/make.sh"
