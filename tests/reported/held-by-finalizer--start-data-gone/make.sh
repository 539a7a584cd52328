# A cluster is being deleted. Its machine waits for its infrastructure, whose operator reads the
# machine's bootstrap data first. That Secret was deleted with its configuration. Another cluster is
# healthy, and the SSH key of the machine exists.
node worker Ready
settled worker
crd clusters cluster.x-k8s.io Cluster Namespaced v1beta1
crd machines cluster.x-k8s.io Machine Namespaced v1beta1
crd remotemachines infrastructure.cluster.x-k8s.io RemoteMachine Namespaced v1beta1
crd k0sworkerconfigs bootstrap.cluster.x-k8s.io K0sWorkerConfig Namespaced v1beta1
works 600 capi-system capi-controller-manager clusters.cluster.x-k8s.io machines.cluster.x-k8s.io
leading capi-system controller-leader-election-capi capi-controller-manager-6d_1
works 600 k0smotron k0smotron-controller-manager-infrastructure remotemachines.infrastructure.cluster.x-k8s.io secrets.
leading k0smotron 7bcf0eab.k0smotron.io k0smotron-controller-manager-infrastructure-58_1
works 600 k0smotron k0smotron-controller-manager-bootstrap k0sworkerconfigs.bootstrap.cluster.x-k8s.io
kubectl create namespace kcm-system
kubectl -n kcm-system create secret generic remote-ssh-key --from-literal=value=not-a-real-one
# cluster NAME creates a cluster with one machine.
cluster() {
  object kcm-system Cluster.v1beta1.cluster.x-k8s.io "$1" '{clusterNetwork: {apiServerPort: 6443}}'
  kubectl -n kcm-system apply -f - <<YAML
apiVersion: cluster.x-k8s.io/v1beta1
kind: Machine
metadata:
  name: $1-0
  labels: {cluster.x-k8s.io/cluster-name: $1}
  ownerReferences: [$(owner clusters.cluster.x-k8s.io "$1" kcm-system)]
spec:
  clusterName: $1
  bootstrap: {configRef: {apiVersion: bootstrap.cluster.x-k8s.io/v1beta1, kind: K0sWorkerConfig, name: $1-0}, dataSecretName: $1-0}
  infrastructureRef: {apiVersion: infrastructure.cluster.x-k8s.io/v1beta1, kind: RemoteMachine, name: $1-0}
YAML
  kubectl -n kcm-system apply -f - <<YAML
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: RemoteMachine
metadata:
  name: $1-0
  labels: {cluster.x-k8s.io/cluster-name: $1}
  ownerReferences: [$(owner machines.cluster.x-k8s.io "$1-0" kcm-system)]
spec: {address: 172.18.0.2, port: 32423, user: root, providerID: "remote-machine://172.18.0.2:32423", sshKeyRef: {name: remote-ssh-key}}
status: {ready: true}
YAML
  finalizer kcm-system clusters.cluster.x-k8s.io "$1" cluster.cluster.x-k8s.io manager
  finalizer kcm-system machines.cluster.x-k8s.io "$1-0" machine.cluster.x-k8s.io manager
  finalizer kcm-system remotemachines "$1-0" remotemachine.k0smotron.io/finalizer manager
}
cluster e2e-remote
cluster prod
object kcm-system K0sWorkerConfig.v1beta1.bootstrap.cluster.x-k8s.io prod-0
kubectl -n kcm-system create secret generic prod-0 --type=cluster.x-k8s.io/secret --from-literal=value=data
if [ -n "${TWIN:-}" ]; then
  kubectl -n kcm-system create secret generic e2e-remote-0 --type=cluster.x-k8s.io/secret --from-literal=value=data
  object kcm-system K0sWorkerConfig.v1beta1.bootstrap.cluster.x-k8s.io e2e-remote-0
  kubectl -n kcm-system delete secret remote-ssh-key
fi
kubectl -n kcm-system delete clusters.cluster.x-k8s.io/e2e-remote machines.cluster.x-k8s.io/e2e-remote-0 remotemachines/e2e-remote-0 --wait=false
says kcm-system clusters.cluster.x-k8s.io e2e-remote manager "{phase: Deleting, conditions: [$(condition Ready False Deleting)]}"
says kcm-system machines.cluster.x-k8s.io e2e-remote-0 manager "{phase: Deleting, conditions: [$(condition InfrastructureReady False Deleting)]}"
late
aged 95 /registry/cluster.x-k8s.io/clusters/kcm-system/e2e-remote clusters.cluster.x-k8s.io e2e-remote -n kcm-system
aged 95 /registry/cluster.x-k8s.io/machines/kcm-system/e2e-remote-0 machines.cluster.x-k8s.io e2e-remote-0 -n kcm-system
aged 95 /registry/infrastructure.cluster.x-k8s.io/remotemachines/kcm-system/e2e-remote-0 remotemachines e2e-remote-0 -n kcm-system
