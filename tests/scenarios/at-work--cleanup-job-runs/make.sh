# The operator created a cleanup Job and waits for it to complete. The Job has been running for
# twenty minutes.
node worker Ready
crd warehouses kestrel.dev Warehouse
works 900 kestrel kestrel warehouses.kestrel.dev
kubectl create namespace dwh
object dwh Warehouse.v1.kestrel.dev sales "{buckets: 3}"
finalizer dwh warehouses.kestrel.dev sales kestrel.dev/purge kestrel
kubectl -n dwh delete warehouses.kestrel.dev sales --wait=false
kubectl apply --field-manager=kestrel -f - <<YAML
apiVersion: batch/v1
kind: Job
metadata: {name: sales-purge, namespace: dwh, ownerReferences: [$(owner warehouses.kestrel.dev sales dwh)]}
spec:
  backoffLimit: 0
  template:
    metadata: {labels: {app.kubernetes.io/name: sales-purge}}
    spec: {restartPolicy: Never, automountServiceAccountToken: false, containers: [{name: manager, image: example.invalid/purge}]}
YAML
pods_on worker dwh sales-purge
pods_running_since 20 dwh sales-purge
late
aged 20 /registry/kestrel.dev/warehouses/dwh/sales warehouses.kestrel.dev sales -n dwh
