# A node is being drained for good. The eviction of a pod on it was requested three hours ago, and
# the responder that moves the pod reports when it expects to finish.
end="expectedCompletionTime: \"$(date -u -d '+600 minutes' +%FT%TZ)\", "
. "$(dirname "${BASH_SOURCE[0]}")/../eviction-refused--responder-does-not-finish/make.sh"
