# As held-by-finalizer--registry-of-a-model-gone, but the Service is there, and what it leads to refuses the controller's login.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--registry-of-a-model-gone/make.sh"
