# Like controller-says--template-in-use-in-its-database, but the log only says what is done, and that it
# failed.
TWIN=yes
twin_of controller-says--template-in-use-in-its-database
logged opensearch-operator "$(pods_of opensearch-operator opensearch-operator-controller-manager)" manager app-logs <<'LOG'
{"level":"info","ts":"@iso","msg":"Reconciling OpensearchIndexTemplate","controller":"opensearchindextemplate","controllerKind":"OpensearchIndexTemplate","OpensearchIndexTemplate":{"name":"app-logs","namespace":"logs"},"namespace":"logs","name":"app-logs"}
{"level":"error","ts":"@iso","msg":"Reconciler error","controller":"opensearchindextemplate","controllerKind":"OpensearchIndexTemplate","OpensearchIndexTemplate":{"name":"app-logs","namespace":"logs"},"namespace":"logs","name":"app-logs","error":"reconciliation failed"}
LOG
