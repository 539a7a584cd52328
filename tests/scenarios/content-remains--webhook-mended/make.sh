# A dead webhook refused a deletion for an hour. Its failures are ignored as of now, and the
# namespace controller has not retried yet.
kubectl create namespace shop
kubectl -n shop create secret generic keys
dead_webhook guard DELETE "" secrets
kubectl delete namespace shop --wait=false
looked shop
manager STOP
aged 60 /registry/namespaces/shop namespace shop
kubectl patch validatingwebhookconfiguration guard --type=json \
  -p '[{"op":"replace","path":"/webhooks/0/failurePolicy","value":"Ignore"}]'
