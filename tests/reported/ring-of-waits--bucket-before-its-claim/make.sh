# An admin deleted a bucket and then its claim. The driver's sidecar tried once, when the claim was
# not yet being deleted, refused, and tries again only when it starts. The controller annotates a
# bucket for deletion only while the bucket is not being deleted, and waits for it.
node worker Ready
settled worker
for kind in Bucket BucketClaim BucketAccess BucketClass; do
  scope=Cluster plural=${kind,,}s
  case $kind in BucketClaim) scope=Namespaced ;; BucketAccess) scope=Namespaced plural=bucketaccesses ;; BucketClass) plural=bucketclasses ;; esac
  kubectl apply -f - <<YAML
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: $plural.objectstorage.k8s.io
  annotations: {api-approved.kubernetes.io: "https://github.com/kubernetes-sigs/container-object-storage-interface"}
spec:
  group: objectstorage.k8s.io
  names: {plural: $plural, singular: ${kind,,}, kind: $kind}
  scope: $scope
  versions:
  - name: v1alpha2
    served: true
    storage: true
    subresources: {status: {}}
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
YAML
  kubectl wait --for=condition=Established "crd/$plural.objectstorage.k8s.io" --timeout=60s
  wait_for 20 "$plural are served" kubectl get "$plural.objectstorage.k8s.io" -A
  old_kind "$plural.objectstorage.k8s.io"
done
# bound ROLE NAMESPACE ACCOUNT RULES creates an account with its own ClusterRole.
bound() {
  namespace "$2"
  kubectl apply -f - <<YAML
apiVersion: v1
kind: ServiceAccount
metadata: {name: $3, namespace: $2}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: $1}
rules: [$4]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: $1}
subjects: [{kind: ServiceAccount, name: $3, namespace: $2}]
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: $1}
YAML
}
cosi=container-object-storage-system
bound controller-role $cosi controller-sa \
  '{apiGroups: [objectstorage.k8s.io], resources: [bucketclaims, bucketaccesses, bucketclaims/status, bucketaccesses/status], verbs: [get, list, watch, update]},
   {apiGroups: [objectstorage.k8s.io], resources: [buckets], verbs: [get, list, watch, update, create, delete]},
   {apiGroups: [objectstorage.k8s.io], resources: [bucketclasses, bucketaccessclasses], verbs: [get, list, watch]},
   {apiGroups: [""], resources: [events], verbs: [create]}'
# run NAMESPACE NAME ACCOUNT CONTAINERS creates a Deployment with these containers.
run() {
  kubectl apply -f - <<YAML
apiVersion: apps/v1
kind: Deployment
metadata: {name: $2, namespace: $1}
spec:
  replicas: 1
  selector: {matchLabels: {app.kubernetes.io/name: $2}}
  template:
    metadata: {labels: {app.kubernetes.io/name: $2}}
    spec: {serviceAccountName: $3, automountServiceAccountToken: false, containers: [$4]}
YAML
  pods_on worker "$1" "$2"
  pods_running_since 14400 "$1" "$2"
}
run $cosi controller controller-sa '{name: objectstorage-controller, image: "example.invalid/objectstorage-controller:v0.3.0"}'
leading $cosi container-object-storage-interface-controller "$(pods_of $cosi controller)_7c1e"
# driver NAME DRIVER creates a driver with the sidecar.
driver() {
  bound "$1" "$1" "$1-sa" \
    '{apiGroups: [objectstorage.k8s.io], resources: [buckets, bucketaccesses, buckets/status, bucketaccesses/status, buckets/finalizers, bucketaccesses/finalizers], verbs: [get, list, watch, update, patch]},
     {apiGroups: [""], resources: [secrets], verbs: [get, list, watch, create, update, delete]},
     {apiGroups: [""], resources: [events], verbs: [create]}'
  run "$1" "$1" "$1-sa" "{name: driver, image: 'example.invalid/$1:v0.2.0', args: [--driver-name=$2]},
    {name: objectstorage-provisioner-sidecar, image: 'example.invalid/objectstorage-sidecar:v0.3.0'}"
  leading "$1" "${2//./-}" "$(pods_of "$1" "$1")_0a4d"
}
driver ceph-cosi-driver ceph.objectstorage.k8s.io
driver seaweedfs-cosi-driver seaweedfs.objectstorage.k8s.io
crd cephobjectstoreusers ceph.rook.io CephObjectStoreUser
works 14400 rook-ceph rook-ceph-operator cephobjectstoreusers.ceph.rook.io
for name in ceph seaweedfs; do
  kubectl apply -f - <<YAML
apiVersion: objectstorage.k8s.io/v1alpha2
kind: BucketClass
metadata: {name: $name}
spec: {driverName: $name.objectstorage.k8s.io, deletionPolicy: Delete}
YAML
done
kubectl create namespace apps
# claim NAME CLASS UID creates a provisioned claim with this uid and its bucket, whose name contains
# the uid.
claim() {
  local uid=$3 object
  kubectl -n apps apply -f - <<YAML
apiVersion: objectstorage.k8s.io/v1alpha2
kind: BucketClaim
metadata: {name: $1}
spec: {bucketClassName: $2, protocols: [S3]}
YAML
  object=$(kubectl -n apps get bucketclaims.objectstorage.k8s.io "$1" -o json --show-managed-fields | sed -E "s/(\"uid\": )\"[^\"]*\"/\1\"$uid\"/; /\"resourceVersion\"/d")
  "$CONTROL_PLANE" etcd-put "/registry/objectstorage.k8s.io/bucketclaims/apps/$1" "$object" --endpoint "$ETCD_ENDPOINT"
  wait_for 20 "the claim has this identity" is "$uid" '{.metadata.uid}' bucketclaims.objectstorage.k8s.io "$1" -n apps
  finalizer apps bucketclaims.objectstorage.k8s.io "$1" objectstorage.k8s.io/protection controller
  kubectl create --field-manager=controller -f - <<YAML
apiVersion: objectstorage.k8s.io/v1alpha2
kind: Bucket
metadata: {name: bc-$uid}
spec:
  driverName: $2.objectstorage.k8s.io
  deletionPolicy: Delete
  protocols: [S3]
  bucketClaimRef: {name: $1, namespace: apps, uid: $uid}
YAML
  kubectl patch buckets.objectstorage.k8s.io "bc-$uid" --type=merge --field-manager=sidecar -p 'metadata: {finalizers: [objectstorage.k8s.io/protection]}'
  bucket_says "bc-$uid" "{readyToUse: true, bucketID: bc-$uid, protocols: [S3], bucketInfo: {COSI_S3_BUCKET_ID: bc-$uid, COSI_S3_ENDPOINT: 'http://rgw.rook-ceph.svc'}}"
  claim_says "$1" "{readyToUse: true, boundBucketName: bc-$uid, protocols: [S3]}"
}
bucket_says() { kubectl patch buckets.objectstorage.k8s.io "$1" --subresource=status --type=merge --field-manager=sidecar -p "status: $2"; }
claim_says() { kubectl -n apps patch bucketclaims.objectstorage.k8s.io "$1" --subresource=status --type=merge --field-manager=controller -p "status: $2"; }
claim logs ceph 7d2c9a10-3b7e-4c52-9f0e-5a1b8c6d0e01
claim media ceph 7d2c9a10-3b7e-4c52-9f0e-5a1b8c6d0e02
claim thumbs seaweedfs 7d2c9a10-3b7e-4c52-9f0e-5a1b8c6d0e03
uid=7d2c9a10-3b7e-4c52-9f0e-5a1b8c6d0e01
refused="will not delete Bucket bound to a non-deleting BucketClaim: v1alpha2.BucketClaimReference{Name:\\\"logs\\\", Namespace:\\\"apps\\\", UID:\\\"$uid\\\"}"
if [ -n "${TWIN:-}" ]; then
  # The claim is deleted first: its controller annotates the bucket and deletes it, and the sidecar
  # tries.
  kubectl -n apps delete bucketclaims.objectstorage.k8s.io logs --wait=false
  kubectl annotate --field-manager=controller buckets.objectstorage.k8s.io "bc-$uid" objectstorage.k8.io/bucketclaim-being-deleted=
  refused="rpc error: code = Unavailable desc = failed to delete bucket: BucketNotEmpty: the bucket bc-$uid is not empty"
fi
kubectl delete buckets.objectstorage.k8s.io "bc-$uid" --wait=false
[ -n "${TWIN:-}" ] || bucket_says "bc-$uid" "{error: {message: \"$refused\", time: \"$(now)\"}}"
[ -n "${TWIN:-}" ] || kubectl -n apps delete bucketclaims.objectstorage.k8s.io logs --wait=false
late
aged 190 "/registry/objectstorage.k8s.io/buckets/bc-$uid" buckets.objectstorage.k8s.io "bc-$uid"
aged 180 /registry/objectstorage.k8s.io/bucketclaims/apps/logs bucketclaims.objectstorage.k8s.io logs -n apps
# The controller retries every quarter of an hour, the sidecar only in the twin.
[ -z "${TWIN:-}" ] || bucket_says "bc-$uid" "{readyToUse: false, error: {message: \"$refused\", time: \"$(date -u -d '-9 minutes' +%FT%TZ)\"}}"
claim_says logs "{error: {message: still waiting for Bucket to be deleted, time: \"$(date -u -d '-9 minutes' +%FT%TZ)\"}}"
