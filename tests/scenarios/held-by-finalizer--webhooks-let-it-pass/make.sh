# As finalizer-removal-refused--own-webhook, but all webhooks let the update pass, and the operator is at zero.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../finalizer-removal-refused--own-webhook/make.sh"
