# A deployment tool deleted a token and its password at once. The token was gone first, also in the
# cloud, and the provider reads the token before it looks for the password. Another token and its
# password are healthy.
node worker Ready
settled worker
crd tokens containerregistry.azure.upbound.io Token Cluster v1beta1
crd tokenpasswords containerregistry.azure.upbound.io TokenPassword Cluster v1beta1
crd registries containerregistry.azure.upbound.io Registry Cluster v1beta1
crd resourcegroups azure.upbound.io ResourceGroup Cluster v1beta1
crd providerconfigs azure.upbound.io ProviderConfig Cluster v1beta1
crd providerconfigusages azure.upbound.io ProviderConfigUsage Cluster v1beta1
crd compositions apiextensions.crossplane.io Composition Cluster v1
crd applications argoproj.io Application Namespaced v1alpha1
for name in tokens.containerregistry.azure.upbound.io tokenpasswords.containerregistry.azure.upbound.io registries.containerregistry.azure.upbound.io; do
  kubectl patch crd $name --type=json -p '[{"op": "add", "path": "/spec/versions/0/subresources", "value": {"status": {}}}]'
  old_kind $name
done
# bound ROLE NAMESPACE ACCOUNT RULES creates an account with its own ClusterRole.
bound() {
  namespace "$2"
  kubectl apply -f - <<YAML
apiVersion: v1
kind: ServiceAccount
metadata: {name: $3, namespace: $2}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: "$1"}
rules: [$4]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: "$1"}
subjects: [{kind: ServiceAccount, name: $3, namespace: $2}]
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: "$1"}
YAML
}
# run NAMESPACE NAME ACCOUNT CONTAINER IMAGE creates a Deployment with one container.
run() {
  kubectl apply -f - <<YAML
apiVersion: apps/v1
kind: Deployment
metadata: {name: $2, namespace: $1}
spec:
  replicas: 1
  selector: {matchLabels: {app.kubernetes.io/name: $2}}
  template:
    metadata: {labels: {app.kubernetes.io/name: $2}}
    spec: {serviceAccountName: $3, automountServiceAccountToken: false, containers: [{name: $4, image: "example.invalid/$5"}]}
YAML
  pods_on worker "$1" "$2"
  pods_running_since 14400 "$1" "$2"
}
everything='tokens, tokens/status, tokens/finalizers, tokenpasswords, tokenpasswords/status, tokenpasswords/finalizers, registries, registries/status, registries/finalizers'
registry=provider-azure-containerregistry-6c1e7a2b9f04
family=upbound-provider-family-azure-0e2f1d5c8a77
bound "crossplane:provider:$registry:system" crossplane-system $registry \
  "{apiGroups: [containerregistry.azure.upbound.io], resources: [$everything], verbs: [get, list, watch, update, patch, create]},
   {apiGroups: [azure.upbound.io], resources: [providerconfigs, providerconfigusages, resourcegroups], verbs: ['*']},
   {apiGroups: ['', coordination.k8s.io], resources: [secrets, events, leases], verbs: ['*']}"
run crossplane-system $registry $registry package-runtime provider-azure-containerregistry:v1.3.0
leading crossplane-system crossplane-leader-election-provider-azure-containerregistry "$(pods_of crossplane-system $registry)_f0b1"
bound "crossplane:provider:$family:system" crossplane-system $family \
  "{apiGroups: [azure.upbound.io], resources: [providerconfigs, providerconfigusages, resourcegroups, resourcegroups/status], verbs: ['*']}"
run crossplane-system $family $family package-runtime provider-family-azure:v1.3.0
bound crossplane crossplane-system crossplane \
  "{apiGroups: [containerregistry.azure.upbound.io, azure.upbound.io], resources: ['*'], verbs: ['*']},
   {apiGroups: [apiextensions.crossplane.io], resources: ['*'], verbs: ['*']}"
run crossplane-system crossplane crossplane crossplane crossplane:v1.16.0
bound argocd-application-controller argocd argocd-application-controller "{apiGroups: ['*'], resources: ['*'], verbs: ['*']}"
run argocd argocd-application-controller argocd-application-controller argocd-application-controller argocd:v2.11.3
object argocd Application.v1alpha1.argoproj.io registry '{project: default, destination: {server: "https://kubernetes.default.svc"}, syncPolicy: {automated: {prune: true}}}'
kubectl apply -f - <<'YAML'
apiVersion: azure.upbound.io/v1beta1
kind: ProviderConfig
metadata: {name: default, finalizers: [in-use.crossplane.io]}
spec: {credentials: {source: OIDCTokenFile}, subscriptionID: 00000000-1111-2222-3333-444444444444, tenantID: 00000000-1111-2222-3333-555555555555}
status: {users: 4}
YAML
base=/subscriptions/00000000-1111-2222-3333-444444444444/resourceGroups/registry/providers/Microsoft.ContainerRegistry/registries/registry
# managed KIND NAME EXTERNAL FORPROVIDER ATPROVIDER creates a managed resource that its provider has
# synced.
managed() {
  kubectl apply --field-manager=argocd-controller -f - <<YAML
apiVersion: containerregistry.azure.upbound.io/v1beta1
kind: $1
metadata:
  name: $2
  annotations: {crossplane.io/external-name: "$3", argocd.argoproj.io/tracking-id: "registry:containerregistry.azure.upbound.io/$1:default/$2"}
spec:
  deletionPolicy: Delete
  managementPolicies: ["*"]
  providerConfigRef: {name: default}
  forProvider: $4
YAML
  kubectl patch "${1,,}.containerregistry.azure.upbound.io" "$2" --type=merge --field-manager=provider -p 'metadata: {finalizers: [finalizer.managedresource.crossplane.io]}'
  knows "$1" "$2" "$5" "{type: Synced, status: 'True', reason: ReconcileSuccess, lastTransitionTime: '$(date -u -d '-20 days' +%FT%TZ)'}"
}
# knows KIND NAME ATPROVIDER SYNCED writes the status of a managed resource, as its provider does.
knows() {
  kubectl patch "${1,,}.containerregistry.azure.upbound.io" "$2" --subresource=status --type=merge --field-manager=provider -p "
status:
  atProvider: $3
  conditions:
  - {type: Ready, status: 'True', reason: Available, lastTransitionTime: '$(date -u -d '-20 days' +%FT%TZ)'}
  - $4
  - {type: LastAsyncOperation, status: 'True', reason: Success, lastTransitionTime: '$(date -u -d '-20 days' +%FT%TZ)'}"
}
managed Registry registry $base '{location: West Europe, resourceGroupName: registry, sku: Premium}' "{id: $base}"
for name in read push; do
  managed Token $name $base/tokens/$name "{containerRegistryName: registry, containerRegistryNameRef: {name: registry}, resourceGroupName: registry, scopeMapId: $base/scopeMaps/$name}" "{id: $base/tokens/$name}"
  managed TokenPassword $name-password $base/tokens/$name/passwords/password "{containerRegistryTokenId: $base/tokens/$name, containerRegistryTokenIdRef: {name: $name}, password1: [{expiry: '2026-12-31T17:57:36+08:00'}]}" "{id: $base/tokens/$name/passwords/password, containerRegistryTokenId: $base/tokens/$name}"
done
kubectl delete token.containerregistry.azure.upbound.io read --wait=false
kubectl patch token.containerregistry.azure.upbound.io read --type=merge --field-manager=provider -p 'metadata: {finalizers: null}'
kubectl delete tokenpassword.containerregistry.azure.upbound.io read-password --wait=false
late
aged 180 /registry/containerregistry.azure.upbound.io/tokenpasswords/read-password tokenpassword.containerregistry.azure.upbound.io read-password
why='failed to observe the resource: [{0 retrieving Token (Subscription: \"00000000-1111-2222-3333-444444444444\"\nResource Group Name: \"registry\"\nRegistry Name: \"registry\"\nToken Name: \"read\"): unexpected status 404 with error: ResourceNotFound: The resource read could not be found. retrieving Token (Subscription: \"00000000-1111-2222-3333-444444444444\"\nResource Group Name: \"registry\"\nRegistry Name: \"registry\"\nToken Name: \"read\"): unexpected status 404 with error: ResourceNotFound: The resource read could not be found. []}]'
knows TokenPassword read-password "{id: $base/tokens/read/passwords/password, containerRegistryTokenId: $base/tokens/read}" \
  "{type: Synced, status: 'False', reason: ReconcileError, message: \"observe failed: $why\", lastTransitionTime: '$(date -u -d '-180 minutes' +%FT%TZ)'}"
event default tokenpassword.containerregistry.azure.upbound.io read-password CannotObserveExternalResource "$why" '"managed/containerregistry.azure.upbound.io/v1beta1, kind=tokenpassword"'
