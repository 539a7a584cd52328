# Like scaled-to-zero--parked-under-other-labels, but the Deployment of the operator is gone.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../scaled-to-zero--parked-under-other-labels/make.sh"
