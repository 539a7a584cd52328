# As held-by-finalizer--retries-in-an-annotation, but what the grant was for is there, and the operator was scaled to zero after its first attempt.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--retries-in-an-annotation/make.sh"
