# Like scaled-to-zero--beside-what-applied-it, but the operator runs and gives no reason, and the
# program that applied its objects is at zero.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../scaled-to-zero--beside-what-applied-it/make.sh"
