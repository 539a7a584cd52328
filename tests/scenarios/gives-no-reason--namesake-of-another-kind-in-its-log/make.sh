# The log of a controller has errors about an object of the same name and namespace and of another kind.
crd stacks delivery.example Stack
crd bundles delivery.example Bundle
logging delivery stack-pilot stacks.delivery.example bundles.delivery.example
hung 30 shop Stack.v1.delivery.example stacks south delivery.example/undo stack-pilot
logged delivery "$(pods_of delivery stack-pilot)" manager south <<'LOG'
{"level":"error","ts":"@iso","msg":"Reconciler error","controller":"bundle","controllerGroup":"delivery.example","controllerKind":"Bundle","Bundle":{"name":"south","namespace":"shop"},"namespace":"shop","name":"south","error":"AccessDenied: role pilot may not call DeleteBundle"}
{"level":"error","ts":"@iso","logger":"bundle-controller","msg":"cannot delete bundle","bundle":"shop/south","error":"the bundle is still used"}
{"level":"error","ts":"@iso","msg":"Bundle shop/south: cannot be deleted: timeout"}
LOG
