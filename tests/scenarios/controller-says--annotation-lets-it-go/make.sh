# The cloud does not support deleting this object. Its controller reports which annotation releases
# it.
node worker Ready
settled worker
crd settings storage.osprey.example AccountSetting
old_kind settings.storage.osprey.example
works 900 osprey osprey-operator settings.storage.osprey.example
kubectl create namespace shop
for name in main spare; do
  object shop AccountSetting.v1.storage.osprey.example $name '{owner: acct}'
  finalizer shop settings.storage.osprey.example $name osprey.example/clean-up osprey-operator
done
kubectl -n shop delete settings.storage.osprey.example main --wait=false
says shop settings.storage.osprey.example main osprey-operator "{conditions: [{type: Ready, status: 'False', reason: Failed,
  message: \"the cloud does not support the deletion; set annotation 'osprey.example/reconcile-policy: detach-on-delete' to permit it\"}]}"
${BEFORE:-:}
late
aged 30 /registry/storage.osprey.example/settings/shop/main settings.storage.osprey.example main -n shop
