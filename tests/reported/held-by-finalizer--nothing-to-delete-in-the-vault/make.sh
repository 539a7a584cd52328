# A configuration in a vault can be written and read but not deleted. Its operator tries, and the
# vault refuses each time. An event and a condition, whose status means success, have the message.
# An older condition still reports the success before the deletion. Its mount and another
# configuration are healthy.
node worker Ready
settled worker
crd kubernetesauthengineconfigs redhatcop.redhat.io KubernetesAuthEngineConfig Namespaced v1alpha1
crd authenginemounts redhatcop.redhat.io AuthEngineMount Namespaced v1alpha1
crd secretstores external-secrets.io SecretStore
works 3000 vault-config-operator vault-config-operator-controller-manager kubernetesauthengineconfigs.redhatcop.redhat.io \
  authenginemounts.redhatcop.redhat.io secrets.
leading vault-config-operator 3d7d3a62.redhat.io "$(pods_of vault-config-operator vault-config-operator-controller-manager)_1"
works 3000 external-secrets external-secrets secretstores.external-secrets.io secrets.
service_account vault vault
deployment vault vault 1
pods_on worker vault vault
pods_running_since 9000 vault vault
backend ok
live_webhook Validating vault-config-operator-validating-webhook-configuration ok '"UPDATE"' redhatcop.redhat.io 'kubernetesauthengineconfigs, authenginemounts'
kubectl create namespace my-namespace
kubectl -n my-namespace create serviceaccount token-reviewer
login='{path: kubernetes, role: policy-admin, serviceAccount: {name: default}}'
wrote() {
  echo "conditions: [{type: ReconcileSuccessful, status: 'True', reason: LastReconcileCycleSucceded, message: '', observedGeneration: 1, lastTransitionTime: '$(now)'}${1:-}]"
}
object my-namespace AuthEngineMount.v1alpha1.redhatcop.redhat.io kubernetes "{type: kubernetes, path: '', authentication: $login}"
finalizer my-namespace authenginemounts kubernetes controller-authenginemount manager
says my-namespace authenginemounts kubernetes manager "{$(wrote)}"
for cluster in my-cluster other-cluster; do
  object my-namespace KubernetesAuthEngineConfig.v1alpha1.redhatcop.redhat.io $cluster \
    "{authentication: $login, path: kubernetes, kubernetesHost: \"https://api.$cluster.example.com:6443\", tokenReviewerServiceAccount: {name: token-reviewer}}"
  says my-namespace kubernetesauthengineconfigs $cluster manager "{$(wrote)}"
  finalizer my-namespace kubernetesauthengineconfigs $cluster controller-kubernetesauthengineconfig manager
done
kubectl -n my-namespace delete kubernetesauthengineconfig my-cluster --wait=false
url=https://my.vault.example.com/v1/auth/kubernetes/my-cluster/config answer='Code: 405. Errors:\n\n* 1 error occurred:\n\t* unsupported operation\n\n'
if [ -n "${TWIN:-}" ]; then answer='Code: 403. Errors:\n\n* 1 error occurred:\n\t* permission denied\n\n'; fi
failed() {
  kubectl -n my-namespace patch kubernetesauthengineconfig my-cluster --type=json --field-manager=manager -p "[{\"op\": \"add\", \"path\": \"/status/conditions/1\", \"value\":
    {\"type\": \"ReconcileFailed\", \"status\": \"False\", \"reason\": \"LastReconcileCycleFailed\", \"observedGeneration\": 2, \"lastTransitionTime\": \"$(now)\",
     \"message\": \"Error making API request.\\n\\nURL: DELETE $url\\n$answer\"}}]"
}
late
aged 240 /registry/redhatcop.redhat.io/kubernetesauthengineconfigs/my-namespace/my-cluster kubernetesauthengineconfig my-cluster -n my-namespace
failed
event my-namespace kubernetesauthengineconfig my-cluster ProcessingError "Error making API request.\\n\\nURL: DELETE $url\\n$answer" KubernetesAuthEngineConfig
