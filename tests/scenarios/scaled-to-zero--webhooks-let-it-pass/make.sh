# Like finalizer-removal-refused--own-webhook, but all webhooks allow the update, and the operator
# is at zero.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../finalizer-removal-refused--own-webhook/make.sh"
