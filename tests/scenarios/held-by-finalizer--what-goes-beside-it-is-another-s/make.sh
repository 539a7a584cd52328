# As held-by-finalizer--what-it-deletes-is-held, but what goes beside it has no label of the operator.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--what-it-deletes-is-held/make.sh"
