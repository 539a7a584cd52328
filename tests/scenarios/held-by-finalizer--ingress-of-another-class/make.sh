# Like held-by-finalizer--ingress-without-its-class, but the ingress now has a class that exists and
# belongs to another controller.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--ingress-without-its-class/make.sh"
