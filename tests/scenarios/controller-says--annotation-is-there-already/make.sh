# Like controller-says--annotation-lets-it-go, but the object already has the annotation.
BEFORE=annotated
annotated() { kubectl -n shop annotate settings.storage.osprey.example main osprey.example/reconcile-policy=detach-on-delete; }
twin_of controller-says--annotation-lets-it-go
