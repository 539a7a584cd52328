# As held-by-finalizer--annotation-lets-it-go, but the annotation is there already.
BEFORE=annotated
annotated() { kubectl -n shop annotate settings.storage.osprey.example main osprey.example/reconcile-policy=detach-on-delete; }
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--annotation-lets-it-go/make.sh"
