# As held-by-finalizer--clean-up-meets-a-dead-webhook, but the webhook went with its namespace at last, and the
# operator does not run.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--clean-up-meets-a-dead-webhook/make.sh"
