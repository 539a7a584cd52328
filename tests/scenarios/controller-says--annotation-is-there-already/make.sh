# Like controller-says--annotation-lets-it-go, but the object already has the annotation.
BEFORE=annotated
annotated() { kubectl -n shop annotate settings.storage.osprey.example main osprey.example/reconcile-policy=detach-on-delete; }
. "$(dirname "${BASH_SOURCE[0]}")/../controller-says--annotation-lets-it-go/make.sh"
