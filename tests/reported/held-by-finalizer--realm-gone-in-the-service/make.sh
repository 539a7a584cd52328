# The database of a login service was recreated, and a realm was lost with the old one. The operator
# deletes the realm in the service, is told that it does not exist, and treats that as a failure.
# Only a string in the status says so, without conditions. The realm's client is looked up in the
# same realm.
node worker Ready
settled worker
crd keycloaks v1.edp.epam.com Keycloak
crd keycloakrealms v1.edp.epam.com KeycloakRealm
crd keycloakclients v1.edp.epam.com KeycloakClient
crd kustomizations kustomize.toolkit.fluxcd.io Kustomization
works 3000 keycloak-operator keycloak-operator keycloaks.v1.edp.epam.com keycloakrealms.v1.edp.epam.com \
  keycloakclients.v1.edp.epam.com secrets.
leading keycloak-operator edp-keycloak-operator-lock "$(pods_of keycloak-operator keycloak-operator)_1"
operator flux-system kustomize-controller 1
kubectl create clusterrolebinding cluster-reconciler-flux-system --clusterrole=cluster-admin --serviceaccount=flux-system:kustomize-controller
pods_on worker flux-system kustomize-controller
pods_running_since 9000 flux-system kustomize-controller
leading flux-system kustomize-controller-leader-election "$(pods_of flux-system kustomize-controller)_1"
service_account auth keycloak
deployment auth keycloak 1
pods_on worker auth keycloak
pods_running_since 200 auth keycloak
service_account auth postgres
deployment auth postgres 1
pods_on worker auth postgres
pods_running_since 210 auth postgres
kubectl -n auth create secret generic keycloak-access --from-literal=username=admin --from-literal=password=not-a-real-one
# flux NAME KIND SPEC applies an object as the repository has it.
flux() {
  kubectl apply --field-manager=kustomize-controller -f - <<YAML
apiVersion: v1.edp.epam.com/v1
kind: $2
metadata:
  name: $1
  namespace: auth
  labels: {kustomize.toolkit.fluxcd.io/name: auth, kustomize.toolkit.fluxcd.io/namespace: flux-system}
spec: $3
YAML
}
# belongs TYPE NAME OWNER-TYPE OWNER FINALIZER adds an owner and a finalizer, as the operator does.
belongs() {
  kubectl -n auth patch "$1" "$2" --type=merge --field-manager=manager \
    -p "metadata: {finalizers: ['$5'], ownerReferences: [{controller: true, $(owner "$3" "$4" auth | sed 's/^{//')]}"
}
flux main Keycloak '{url: "http://keycloak.auth.svc:8080", secret: keycloak-access, adminType: user}'
says auth keycloaks main manager '{connected: true}'
for realm in my-realm partners; do
  flux $realm KeycloakRealm "{realmName: $realm, keycloakRef: {kind: Keycloak, name: main}}"
  belongs keycloakrealms $realm keycloaks main keycloak.realm.operator.finalizer.name
  says auth keycloakrealms $realm manager '{available: true, value: OK}'
done
for client in my-client partners-web; do
  realm=my-realm
  if [ $client = partners-web ]; then realm=partners; fi
  flux $client KeycloakClient "{clientId: $client, realmRef: {kind: KeycloakRealm, name: $realm}, webUrl: \"https://$client.example.com\", secret: keycloak-client-$client}"
  belongs keycloakclients $client keycloakrealms $realm keycloak.client.operator.finalizer.name
  says auth keycloakclients $client manager '{clientId: 5b0c7e0e-7d53-4c7c-9c1e-5f9d6f8e1a11, value: OK}'
done
kubectl -n auth delete keycloakrealm/my-realm keycloakclient/my-client --wait=false
answer='404 Not Found: Realm not found.'
looked_up="unable to get keycloak realm: unable to get keycloak realm from ref: failed to get realm: $answer"
if [ -n "${TWIN:-}" ]; then
  answer='403 Forbidden: HTTP 403 Forbidden'
  looked_up="unable to delete kc client: error during keycloak resource deletion: failed to delete keycloak client: unable to delete client: $answer"
fi
told() {
  says auth keycloakrealms my-realm manager "{available: false, failureCount: $1, value: 'failed to delete realm: error during keycloak resource deletion: failed to delete keycloak realm: unable to delete realm: $answer'}"
  says auth keycloakclients my-client manager "{failureCount: $1, value: '$looked_up'}"
}
told 44
late
aged 180 /registry/v1.edp.epam.com/keycloakrealms/auth/my-realm keycloakrealm my-realm -n auth
aged 180 /registry/v1.edp.epam.com/keycloakclients/auth/my-client keycloakclient my-client -n auth
told 45
