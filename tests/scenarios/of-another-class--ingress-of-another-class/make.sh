# Like dangling-reference--ingress-without-its-class, but the ingress now has a class that exists and
# belongs to another controller.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../dangling-reference--ingress-without-its-class/make.sh"
