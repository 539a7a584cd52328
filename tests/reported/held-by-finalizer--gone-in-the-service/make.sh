# Somebody deleted a group in its external service and then here. The service answers that the group
# does not exist, which the operator treats as an error. Only its log says so, and the group's
# condition is older than the deletion. Another group is healthy.
node worker Ready
settled worker
crd pocketidinstances pocketid.internal PocketIDInstance Namespaced v1alpha1
crd pocketidusers pocketid.internal PocketIDUser Namespaced v1alpha1
crd pocketidusergroups pocketid.internal PocketIDUserGroup Namespaced v1alpha1
crd pocketidoidcclients pocketid.internal PocketIDOIDCClient Namespaced v1alpha1
works 600 pocket-id-operator-system pocket-id-operator pocketidinstances.pocketid.internal pocketidusers.pocketid.internal \
  pocketidusergroups.pocketid.internal pocketidoidcclients.pocketid.internal secrets.
leading pocket-id-operator-system a806767b.pocketid.internal pocket-id-operator-7d4_1
works 600 external-secrets external-secrets secrets.
service_account auth pocket-id
deployment auth pocket-id 1
pods_on worker auth pocket-id
pods_running_since 600 auth pocket-id
object auth PocketIDInstance.v1alpha1.pocketid.internal pocket-id '{appUrl: "https://id.example.com", deploymentType: Deployment}'
says auth pocketidinstances pocket-id manager "{version: 2.13.0, staticApiKeySecretName: pocket-id-static-api-key, conditions: [$(condition Ready True Ready 'Deployment has available replicas')]}"
kubectl -n auth create secret generic pocket-id-static-api-key --from-literal=key=not-a-real-one
object auth PocketIDUser.v1alpha1.pocketid.internal alice '{username: {value: alice}}'
finalizer auth pocketidusers alice pocketid.internal/user-finalizer manager
says auth pocketidusers alice manager "{userID: 3f1d6c70-2f0e-4f0b-8a55-0d3d0a4f1111, conditions: [$(condition Ready True Reconciled 'User is in sync')]}"
# group NAME ID FINALIZER... creates a group that is in sync with the service.
group() {
  object auth PocketIDUserGroup.v1alpha1.pocketid.internal "$1" "{name: $1, friendlyName: $1, users: {userRefs: [{name: alice}]}}"
  kubectl -n auth patch pocketidusergroup "$1" --type=merge --field-manager=manager -p "metadata: {finalizers: [$(IFS=,; echo "${*:3}")]}"
  says auth pocketidusergroups "$1" manager "{groupID: $2, name: $1, friendlyName: $1, totalUserCount: 1, managedUserIDs: [3f1d6c70-2f0e-4f0b-8a55-0d3d0a4f1111],
    conditions: [$(condition Ready True Reconciled 'User group is in sync')]}"
}
group developers 8a1c2d7e-0c67-4f55-9d0e-5f0f6f2b2222 pocketid.internal/user-group-finalizer ${TWIN:+pocketid.internal/oidc-client-finalizer}
group admins 5b7e90aa-3a0d-4c52-8a7e-6c0a9d1c3333 pocketid.internal/user-group-finalizer pocketid.internal/oidc-client-finalizer
object auth PocketIDOIDCClient.v1alpha1.pocketid.internal grafana "{callbackUrls: ['https://grafana.example.com/login'], allowedUserGroups: [{name: admins}${TWIN:+, {name: developers\}}]}"
finalizer auth pocketidoidcclients grafana pocketid.internal/oidc-client-finalizer manager
says auth pocketidoidcclients grafana manager "{clientID: grafana, conditions: [$(condition Ready True Reconciled 'OIDC client is in sync')]}"
kubectl -n auth delete pocketidusergroup developers --wait=false
late
aged 65 /registry/pocketid.internal/pocketidusergroups/auth/developers pocketidusergroup developers -n auth
