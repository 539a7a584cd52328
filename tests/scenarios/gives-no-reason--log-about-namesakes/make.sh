# Like controller-says--template-in-use-in-its-database, but all errors of the log are about others: a
# template of the same name in another namespace, and another kind of the same name.
TWIN=yes
twin_of controller-says--template-in-use-in-its-database
logged opensearch-operator "$(pods_of opensearch-operator opensearch-operator-controller-manager)" manager app-logs <<'LOG'
{"level":"error","ts":"@iso","msg":"Reconciler error","controller":"opensearchindextemplate","controllerKind":"OpensearchIndexTemplate","OpensearchIndexTemplate":{"name":"app-logs","namespace":"logs-2"},"namespace":"logs-2","name":"app-logs","error":"failed to delete index template: unable to remove composable templates [app-logs] as they are in use by a data streams [app-web]"}
{"level":"error","ts":"@iso","msg":"Reconciler error","controller":"opensearchcomponenttemplate","controllerKind":"OpensearchComponentTemplate","OpensearchComponentTemplate":{"name":"app-logs","namespace":"logs"},"namespace":"logs","name":"app-logs","error":"component template app-logs is not valid: unknown setting index.shards"}
{"level":"error","ts":"@iso","msg":"user app-logs in namespace logs could not be read from Secret logs/app-logs: no key password"}
LOG
