# A data stream inside a database uses an index template, so the database refuses to delete it. The
# operator keeps trying. Only its log says so, neither its status nor an event.
node worker Ready
settled worker
crd opensearchindextemplates opensearch.opster.io OpensearchIndexTemplate
crd opensearchclusters opensearch.opster.io OpenSearchCluster
works 600 opensearch-operator opensearch-operator-controller-manager opensearchindextemplates.opensearch.opster.io opensearchclusters.opensearch.opster.io
leading opensearch-operator a867c7dc.opensearch.opster.io opensearch-operator-controller-manager-54d8_1
works 600 monitoring prometheus-operator opensearchclusters.opensearch.opster.io
kubectl create namespace opensearch-ns
object opensearch-ns OpenSearchCluster.v1.opensearch.opster.io main-cluster '{general: {version: 3.3.2}}'
finalizer opensearch-ns opensearchclusters main-cluster Opster manager
says opensearch-ns opensearchclusters main-cluster manager '{phase: RUNNING, health: green, initialized: true}'
for name in test-template logs-template; do
  object opensearch-ns OpensearchIndexTemplate.v1.opensearch.opster.io $name '{opensearchCluster: {name: main-cluster}, indexPatterns: ["test-*"], dataStream: {}}'
  finalizer opensearch-ns opensearchindextemplates $name Opster manager
  says opensearch-ns opensearchindextemplates $name manager "{state: CREATED, existingIndexTemplate: false, indexTemplateName: $name, managedCluster: 8f6c0f0e-2b14-4b4a-9a57-1b7d2a5f6f01}"
done
kubectl -n opensearch-ns delete opensearchindextemplate test-template --wait=false
[ -z "${TWIN:-}" ] || says opensearch-ns opensearchindextemplates test-template manager "{state: ERROR,
  reason: 'failed to delete index template: 400 Bad Request: unable to remove composable templates [test-template] as they are in use by a data streams [test-1]'}"
late
aged 25 /registry/opensearch.opster.io/opensearchindextemplates/opensearch-ns/test-template opensearchindextemplate test-template -n opensearch-ns
