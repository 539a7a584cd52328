# A data stream uses an index template, so the database refuses to delete it. Only the operator's log
# says so (controller-runtime, JSON).
crd opensearchindextemplates opensearch.opster.io OpensearchIndexTemplate
logging opensearch-operator opensearch-operator-controller-manager opensearchindextemplates.opensearch.opster.io
hung 5 logs OpensearchIndexTemplate.v1.opensearch.opster.io opensearchindextemplates app-logs Opster manager '{indexPatterns: ["app-*"]}'
# says_so writes what the database answers.
says_so() {
  logged opensearch-operator "$(pods_of opensearch-operator opensearch-operator-controller-manager)" manager app-logs <<'LOG'
{"level":"error","ts":"@iso","msg":"Reconciler error","controller":"opensearchindextemplate","controllerGroup":"opensearch.opster.io","controllerKind":"OpensearchIndexTemplate","OpensearchIndexTemplate":{"name":"app-logs","namespace":"logs"},"namespace":"logs","name":"app-logs","reconcileID":"0f3c1d2e-7a51-4c1e-9d60-1f2a3b4c5d6e","error":"failed to delete index template: unable to remove composable templates [app-logs] as they are in use by a data streams [app-web]"}
LOG
}
[ -n "${TWIN:-}" ] || says_so
