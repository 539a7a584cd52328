# States that look stuck but are not, side by side: a wrong answer for one of them would show in all
# the others.

# None of these is being deleted, whatever finalizers they have.
crd databases acme.io Database
crd gadgets acme.io Gadget
operator ops acme-operator 0 databases.acme.io
kubectl create namespace calm
object calm Database.v1.acme.io guarded
finalizer calm databases guarded acme.io/backup acme-operator
kubectl create namespace guarded
kubectl patch namespace guarded --type=merge -p '{"metadata":{"finalizers":["acme.io/tenant"]}}'
kubectl -n calm create configmap settings
owned calm parent
owned calm child "" "$(owner configmap parent calm)"
kubectl -n calm create service loadbalancer web --tcp=80:80
kubectl -n calm patch service web --type=merge \
  -p '{"metadata":{"finalizers":["service.kubernetes.io/load-balancer-cleanup"]}}'

# Volumes in use.
node worker Ready
kubectl apply -f - <<'YAML'
apiVersion: v1
kind: PersistentVolume
metadata: {name: disk}
spec:
  capacity: {storage: 1Gi}
  accessModes: [ReadWriteOnce]
  persistentVolumeReclaimPolicy: Delete
  claimRef: {namespace: calm, name: data}
  csi: {driver: disk.csi.acme.io, volumeHandle: v1}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data, namespace: calm}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}, storageClassName: "", volumeName: disk}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: pending, namespace: calm}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}, storageClassName: none}
---
apiVersion: storage.k8s.io/v1
kind: VolumeAttachment
metadata: {name: csi-disk, finalizers: [external-attacher/disk-csi-acme-io]}
spec: {attacher: disk.csi.acme.io, nodeName: worker, source: {persistentVolumeName: disk}}
---
apiVersion: v1
kind: Pod
metadata: {name: writer, namespace: calm, labels: {app: writer}}
spec:
  nodeName: worker
  automountServiceAccountToken: false
  containers: [{name: c, image: example.invalid/none}]
  volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: writer, namespace: calm}
spec: {minAvailable: 1, selector: {matchLabels: {app: writer}}}
YAML

# A node that does not report, with a pod that is not being deleted; a finished pod; a static pod.
node silent NotReady
pod calm on-silent-node silent 30
pod calm done worker 30 batch.kubernetes.io/job-tracking
phase calm done Succeeded
kubectl apply -f - <<'YAML'
apiVersion: v1
kind: Pod
metadata:
  name: static-worker
  namespace: calm
  annotations: {kubernetes.io/config.mirror: 0a1b, kubernetes.io/config.source: file}
spec:
  nodeName: worker
  automountServiceAccountToken: false
  containers: [{name: c, image: example.invalid/none}]
YAML

# These are broken, but nothing waits for them: a webhook for creations, one for other namespaces,
# one whose failures are ignored, a conversion that is not needed, and an API that refuses only
# DELETE of a collection.
dead_webhook creations CREATE acme.io gadgets
dead_webhook elsewhere '"*"' acme.io '"*"' '{matchLabels: {team: other}}'
dead_webhook lenient '"*"' acme.io databases
kubectl patch validatingwebhookconfiguration lenient --type=json \
  -p '[{"op":"replace","path":"/webhooks/0/failurePolicy","value":"Ignore"}]'
kubectl patch crd gadgets.acme.io --type=merge -p '{"spec":{"conversion":{"strategy":"Webhook","webhook":{
  "conversionReviewVersions":["v1"],"clientConfig":{"service":{"namespace":"ops","name":"none","path":"/convert"}}}}}}'
kubectl create namespace extension
backend dc405
backend_service extension api
api_service v1 agg.example.com extension api "$BACKEND_PORT"
available True v1.agg.example.com

# These were deleted at once, and some were created again under the same name.
kubectl create namespace again
furnished again
kubectl delete namespace again
kubectl create namespace again
kubectl create namespace brief
furnished brief
kubectl delete namespace brief
object calm Database.v1.acme.io again
kubectl -n calm delete databases again
object calm Database.v1.acme.io again

# These are being deleted and are within their time.
kubectl create namespace leaving
pod leaving slow worker 3600
kubectl delete namespace leaving --wait=false
pod calm slow worker 3600
kubectl -n calm delete pod slow --wait=false
owned calm owner
kubectl -n calm apply -f - <<YAML
apiVersion: v1
kind: Pod
metadata: {name: slow-child, ownerReferences: [$(owner configmap owner calm)]}
spec:
  nodeName: worker
  automountServiceAccountToken: false
  terminationGracePeriodSeconds: 3600
  containers: [{name: c, image: example.invalid/none}]
YAML
seen
foreground configmap owner -n calm
looked leaving
