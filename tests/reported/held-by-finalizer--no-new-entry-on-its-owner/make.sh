# A service instance and its binding are being deleted. Before it handles the binding, the
# controller tries to add a finalizer to the instance, but the API server accepts no new finalizers
# on an object that is being deleted. Another instance and its binding are healthy.
node worker Ready
settled worker
crd cfserviceinstances korifi.cloudfoundry.org CFServiceInstance Namespaced v1alpha1
crd cfservicebindings korifi.cloudfoundry.org CFServiceBinding Namespaced v1alpha1
crd cfservicebrokers korifi.cloudfoundry.org CFServiceBroker Namespaced v1alpha1
crd cfserviceplans korifi.cloudfoundry.org CFServicePlan Namespaced v1alpha1
crd cfapps korifi.cloudfoundry.org CFApp Namespaced v1alpha1
works 600 korifi korifi-controllers cfserviceinstances.korifi.cloudfoundry.org cfservicebindings.korifi.cloudfoundry.org \
  cfservicebrokers.korifi.cloudfoundry.org cfserviceplans.korifi.cloudfoundry.org cfapps.korifi.cloudfoundry.org secrets.
leading korifi 13c200ec.cloudfoundry.org korifi-controllers-controller-manager-5f_1
service_account korifi korifi-api
deployment korifi korifi-api 1
pods_on worker korifi korifi-api
pods_running_since 600 korifi korifi-api
works 600 servicebinding-system servicebinding-controller-manager secrets.
backend ok
live_webhook Validating vcfservicebinding.korifi.cloudfoundry.org ok '"CREATE", "UPDATE", "DELETE"' korifi.cloudfoundry.org cfservicebindings
kubectl create namespace cf
space=8d219b65-a58e-4751-9230-915c7dfd0c1b
kubectl create namespace $space
object cf CFServiceBroker.v1alpha1.korifi.cloudfoundry.org broker-1 '{url: "https://broker.example.com"}'
says cf cfservicebrokers broker-1 manager "{conditions: [$(condition Ready True Ready Ready)]}"
object cf CFServicePlan.v1alpha1.korifi.cloudfoundry.org plan-1 '{name: small, visibility: {type: public}}'
object $space CFApp.v1alpha1.korifi.cloudfoundry.org 0d3f2b7c-51e0-4b8e-8f16-6a9e2a1d4444 '{displayName: web, desiredState: STARTED}'
# instance GUID NAME BINDING creates an instance with one binding of the app, as the platform's API
# does.
instance() {
  kubectl apply --field-manager=cfapi -f - <<YAML
apiVersion: korifi.cloudfoundry.org/v1alpha1
kind: CFServiceInstance
metadata: {name: $1, namespace: $space, finalizers: [cfServiceInstance.korifi.cloudfoundry.org]}
spec: {displayName: $2, type: managed, planGuid: plan-1}
YAML
  kubectl apply --field-manager=cfapi -f - <<YAML
apiVersion: korifi.cloudfoundry.org/v1alpha1
kind: CFServiceBinding
metadata:
  name: $3
  namespace: $space
  annotations: {korifi.cloudfoundry.org/service-instance-type: managed}
  finalizers: [cfServiceBinding.korifi.cloudfoundry.org]
spec: {type: app, appRef: {name: 0d3f2b7c-51e0-4b8e-8f16-6a9e2a1d4444}, service: {apiVersion: korifi.cloudfoundry.org/v1alpha1, kind: CFServiceInstance, name: $1}}
YAML
  kubectl -n $space patch cfserviceinstance "$1" --type=json --field-manager=manager -p '[{"op": "add", "path": "/metadata/finalizers/-", "value": foregroundDeletion}]'
  kubectl -n $space patch cfservicebinding "$3" --type=merge --field-manager=manager -p "metadata: {ownerReferences: [$(owner cfserviceinstances "$1" $space)]}"
  says $space cfserviceinstances "$1" manager "{observedGeneration: 1, conditions: [$(condition Ready True Ready Ready)]}"
  says $space cfservicebindings "$3" manager "{observedGeneration: 1, envSecretRef: {name: $3}, conditions: [$(condition Ready True Ready Ready)]}"
  kubectl -n $space create secret generic "$3" --from-literal=credentials=not-a-real-one
}
guid=32e9b62d-151f-4a9e-88a4-998dfe6b59f4
binding=24450140-db23-4266-9f10-ef47674e185f
instance $guid db $binding
# Make the objects older than the deletion of their owner. Otherwise they would look as if they were
# created again.
for plural in cfserviceinstances cfservicebindings; do
  born 900 /registry/apiextensions.k8s.io/customresourcedefinitions/$plural.korifi.cloudfoundry.org crd $plural.korifi.cloudfoundry.org
done
born 600 /registry/namespaces/$space namespace $space
born 300 /registry/korifi.cloudfoundry.org/cfserviceinstances/$space/$guid cfserviceinstance $guid -n $space
born 290 /registry/korifi.cloudfoundry.org/cfservicebindings/$space/$binding cfservicebinding $binding -n $space
instance 7be0c1f3-9a59-4f5a-a3c4-1f1f7d0a5555 cache 5a2e7c11-6f3b-4a7e-b6c9-2d2d8e1b6666
watched cf CFServiceBinding.v1alpha1.korifi.cloudfoundry.org
if [ -n "${TWIN:-}" ]; then
  kubectl -n $space delete cfserviceinstance $guid --cascade=foreground --wait=false
  going() { test -n "$(kubectl -n $space get cfservicebinding $binding -o jsonpath='{.metadata.deletionTimestamp}')"; }
  wait_for 30 "the binding is being deleted, too" going
else
  kubectl -n $space delete cfserviceinstance $guid --wait=false
  kubectl -n $space delete cfservicebinding $binding --wait=false
fi
says $space cfserviceinstances $guid manager "{observedGeneration: 2, conditions: [$(condition Ready False BindingsAvailable 'There are still 1 bindings for the service instance')]}"
if [ -n "${TWIN:-}" ]; then
  says $space cfservicebindings $binding manager "{observedGeneration: 2, conditions: [$(condition Ready False UnbindingFailed),
    $(condition UnbindingFailed True UnbindingFailed 'The server responded with status: 422: the database has open connections')]}"
else
  kubectl -n $space patch cfservicebinding $binding --type=merge --field-manager=manager -p "{\"status\": {\"observedGeneration\": 2, \"conditions\": [
    {\"type\": \"Ready\", \"status\": \"False\", \"reason\": \"Unknown\", \"lastTransitionTime\": \"$(now)\", \"message\": \"CFServiceInstance.korifi.cloudfoundry.org \\\"$guid\\\" is invalid: metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{\\\"foregroundDeletion\\\"}\"}]}}"
fi
late
aged 50 /registry/korifi.cloudfoundry.org/cfserviceinstances/$space/$guid cfserviceinstance $guid -n $space
aged 48 /registry/korifi.cloudfoundry.org/cfservicebindings/$space/$binding cfservicebinding $binding -n $space
