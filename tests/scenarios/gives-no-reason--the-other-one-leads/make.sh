# The twin of gives-no-reason--leads-beside-a-webhook: here the Deployment that is named like the
# product leads.
node worker Ready
crd widgets acme.io Widget
works 600 ops dispatcher widgets.acme.io
operator ops acme-webhook 0
kubectl -n ops patch deployment acme-webhook --type=merge \
  -p 'spec: {replicas: 1, template: {spec: {serviceAccountName: dispatcher}}}'
pods_on worker ops acme-webhook
pods_running_since 600 ops acme-webhook
leading ops widgets-leader "$(pods_of ops acme-webhook)_4c1e6a0b"
kubectl create namespace shop
object shop Widget.v1.acme.io wheel
finalizer shop widgets.acme.io wheel acme.io/release manager
kubectl -n shop delete widgets.acme.io wheel --wait=false
late
aged 70 /registry/acme.io/widgets/shop/wheel widgets.acme.io wheel -n shop
