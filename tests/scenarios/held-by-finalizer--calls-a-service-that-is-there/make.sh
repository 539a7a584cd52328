# As held-by-finalizer--calls-a-service-that-is-gone, but the Service is there: nothing tells why.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--calls-a-service-that-is-gone/make.sh"
