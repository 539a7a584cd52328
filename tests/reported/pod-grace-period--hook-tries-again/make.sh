# A broker was removed from its cluster, and its pod is scaled down. The pod's preStop hook keeps
# asking the broker for maintenance mode. The answer is 404, which the hook does not handle. A
# timeout of half the grace period stops the hook. The grace period of two minutes ends the rest.
node worker Ready
node other Ready
settled worker other
crd clusters redpanda.vectorized.io Cluster Namespaced v1alpha1
operator redpanda-system redpanda-operator 1 clusters.redpanda.vectorized.io statefulsets.apps pods.
pods_on other redpanda-system redpanda-operator
pods_running_since 600 redpanda-system redpanda-operator
leading redpanda-system aa9fc693.vectorized.io "$(pods_of redpanda-system redpanda-operator)_4c1e6a0b"
kubectl create namespace streams
object streams Cluster.v1alpha1.redpanda.vectorized.io rp '{version: v24.2.4, replicas: 3}'
finalizer streams clusters.redpanda.vectorized.io rp operator.redpanda.com/finalizer manager
for n in 0 1 2 3; do
  kubectl apply -f - <<YAML
apiVersion: v1
kind: PersistentVolume
metadata: {name: disk-$n}
spec:
  capacity: {storage: 100Gi}
  accessModes: [ReadWriteOnce]
  storageClassName: disks
  persistentVolumeReclaimPolicy: Retain
  hostPath: {path: /disks/$n}
  claimRef: {namespace: streams, name: datadir-rp-$n}
YAML
done
kubectl -n streams apply --field-manager=manager -f - <<YAML
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: rp
  labels: {app.kubernetes.io/name: redpanda, app.kubernetes.io/instance: rp, app.kubernetes.io/managed-by: redpanda-operator}
  ownerReferences: [$(owner clusters.redpanda.vectorized.io rp streams)]
spec:
  replicas: 4
  podManagementPolicy: Parallel
  updateStrategy: {type: OnDelete}
  serviceName: rp
  selector: {matchLabels: {app.kubernetes.io/name: redpanda, app.kubernetes.io/instance: rp}}
  template:
    metadata: {labels: {app.kubernetes.io/name: redpanda, app.kubernetes.io/instance: rp}}
    spec:
      automountServiceAccountToken: false
      terminationGracePeriodSeconds: 120
      volumes: [{name: hook-scripts-dir, secret: {secretName: rp-lifecycle, defaultMode: 365}}]
      containers:
      - name: redpanda
        image: example.invalid/redpanda
        lifecycle:
          postStart: {exec: {command: [/bin/bash, -c, /scripts/postStart.sh]}}
          preStop: {exec: {command: [/bin/bash, -c, /scripts/preStop.sh]}}
        volumeMounts: [{name: datadir, mountPath: /var/lib/redpanda/data}, {name: hook-scripts-dir, mountPath: /scripts}]
  volumeClaimTemplates:
  - metadata: {name: datadir}
    spec: {accessModes: [ReadWriteOnce], storageClassName: disks, resources: {requests: {storage: 100Gi}}}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: rp, ownerReferences: [$(owner clusters.redpanda.vectorized.io rp streams)]}
spec: {maxUnavailable: 1, selector: {matchLabels: {app.kubernetes.io/name: redpanda, app.kubernetes.io/instance: rp}}}
YAML
wait_for 30 "the pods of rp" kubectl -n streams get pod rp-0 rp-1 rp-2 rp-3
pods_on worker streams redpanda
for n in 0 1 2 3; do
  kubectl -n streams annotate pod rp-$n operator.redpanda.com/node-id=$n --field-manager=manager
  kubectl -n streams patch pod rp-$n --subresource=status --type=merge -p "status: {phase: Running,
    conditions: [$(condition PodScheduled True), $(condition ContainersReady True), $(condition Ready True)],
    containerStatuses: [{name: redpanda, image: x, imageID: x, ready: true, restartCount: 0, started: true,
      state: {running: {startedAt: \"$(date -u -d -10hours +%FT%TZ)\"}}}]}"
done
says streams clusters.redpanda.vectorized.io rp manager "{replicas: 4, readyReplicas: 4, currentReplicas: 3, version: v24.2.4,
  conditions: [$(condition ClusterConfigured True), $(condition OperatorQuiescent False)]}"
kubectl -n streams patch statefulset rp --type=merge --field-manager=manager -p 'spec: {replicas: 3}'
deleted() { test -n "$(kubectl -n streams get pod rp-3 -o jsonpath='{.metadata.deletionTimestamp}')"; }
wait_for 30 "rp-3 is deleted" deleted
kubectl create -f - <<YAML
apiVersion: v1
kind: Event
metadata: {generateName: "rp-3.", namespace: streams}
involvedObject: {apiVersion: v1, kind: Pod, namespace: streams, name: rp-3, uid: $(kubectl -n streams get pod rp-3 -o jsonpath='{.metadata.uid}'), fieldPath: "spec.containers{redpanda}"}
type: Normal
reason: Killing
message: "Stopping container redpanda"
source: {component: kubelet, host: worker}
count: 1
firstTimestamp: "$(now)"
lastTimestamp: "$(now)"
YAML
late
[ -z "${TWIN:-}" ] || aged 10 /registry/pods/streams/rp-3 pod rp-3 -n streams
