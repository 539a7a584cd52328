# An event says only that the deletion failed; the condition of the object says why. Another object has the
# same event and no condition, and the log of the controller says why.
crd stacks delivery.example Stack
logging delivery stack-pilot stacks.delivery.example
for name in north south; do
  hung 30 shop Stack.v1.delivery.example stacks $name delivery.example/undo stack-pilot
done
says shop stacks.delivery.example north stack-pilot \
  "{conditions: [$(condition Ready False Reconcile 'dial tcp 192.0.2.7:443: connect: connection refused')]}"
for name in north south; do
  event shop stacks.delivery.example $name FailedDelete "failed to delete $name" stack-pilot
done
logged delivery "$(pods_of delivery stack-pilot)" manager south <<'LOG'
{"level":"error","ts":"@iso","msg":"Reconciler error","controllerKind":"Stack","Stack":{"name":"south","namespace":"shop"},"namespace":"shop","name":"south","error":"AccessDenied: role pilot may not call DeleteStack"}
{"level":"error","ts":"@iso","msg":"Reconciler error","controllerKind":"Bundle","Bundle":{"name":"south","namespace":"shop"},"namespace":"shop","name":"south","error":"bundle has no image"}
LOG
