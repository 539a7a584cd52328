# As held-by-finalizer--ingress-without-its-class, but the ingress was given to another class, which is there
# and belongs to another controller.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--ingress-without-its-class/make.sh"
