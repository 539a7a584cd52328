# A field of an object forbids its deletion, as its operator reports.
node worker Ready
crd postgreses seaworthy.dev Postgres
operator sea seaworthy 1 postgreses.seaworthy.dev
pods_ready sea seaworthy
kubectl create namespace prod
object prod Postgres.v1.seaworthy.dev orders '{plan: large, terminationProtection: true}'
finalizer prod postgreses.seaworthy.dev orders seaworthy.dev/delete seaworthy
kubectl -n prod delete postgreses.seaworthy.dev orders --wait=false
says prod postgreses.seaworthy.dev orders seaworthy \
  "{conditions: [$(condition Deleted False UnableToDelete 'unable to delete: termination protection is on')]}"
late
