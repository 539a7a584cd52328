# A node is being drained for good. The eviction of a pod on it was requested three hours ago, and
# the responder that moves the pod reports when it expects to finish.
end="expectedCompletionTime: \"$(date -u -d '+600 minutes' +%FT%TZ)\", "
twin_of eviction-refused--responder-does-not-finish
