# An operator guards the Secrets that its objects refer to, and checks a Secret only when one of
# these objects changes. Nothing refers to this Secret.
node worker Ready
settled worker
crd gatewayaccounts plover.example GatewayAccount
old_kind gatewayaccounts.plover.example
works 900 plover plover-manager gatewayaccounts.plover.example secrets.
kubectl create namespace apis
for name in old new; do
  kubectl -n apis create secret generic token-$name
  finalizer apis secret token-$name finalizers.plover.example/gatewayaccountSecret plover-manager
done
object apis GatewayAccount.v1.plover.example main '{auth: {secretRef: {name: token-new}}}'
kubectl -n apis delete secret "token-${GOES:-old}" --wait=false
late
aged 30 "/registry/secrets/apis/token-${GOES:-old}" secret "token-${GOES:-old}" -n apis
