# A tenant waits until its namespaces, which a label names, are gone. An object in one of them waits
# for an operator that is scaled to 0.
node worker Ready
crd tenants canopy.dev Tenant Cluster
crd jobsets batchery.dev JobSet
operator canopy canopy 1 tenants.canopy.dev
pods_ready canopy canopy
operator batchery batchery 0 jobsets.batchery.dev
kubectl create namespace acme-prod
kubectl label namespace acme-prod canopy.dev/tenant=acme
object acme-prod JobSet.v1.batchery.dev nightly '{size: 1}'
finalizer acme-prod jobsets.batchery.dev nightly batchery.dev/jobs batchery
kubectl apply -f - <<YAML
apiVersion: canopy.dev/v1
kind: Tenant
metadata: {name: acme}
YAML
kubectl patch tenants.canopy.dev acme --type=merge --field-manager=canopy -p 'metadata: {finalizers: [canopy.dev/tenant]}'
kubectl delete tenants.canopy.dev acme --wait=false
delete_namespace acme-prod
