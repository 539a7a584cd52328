# A machine was deleted while its bare metal host was being installed. It waits until the host,
# which is not being deleted, is deprovisioned. For that the controller connects to the host over
# SSH, but nothing answers because no system was installed. An event of the host says so, and an old
# condition says something else.
node worker Ready
settled worker
for of in clusters/Cluster machines/Machine; do crd ${of%/*} cluster.x-k8s.io ${of#*/} Namespaced v1beta1; done
for of in hetznerclusters/HetznerCluster hetznerbaremetalmachines/HetznerBareMetalMachine hetznerbaremetalhosts/HetznerBareMetalHost; do
  crd ${of%/*} infrastructure.cluster.x-k8s.io ${of#*/} Namespaced v1beta1
done
leads capi-system capi-controller-manager controller-leader-election-capi 1 clusters.cluster.x-k8s.io machines.cluster.x-k8s.io
leads caph-system caph-controller-manager hetzner.cluster.x-k8s.io 1 hetznerclusters.infrastructure.cluster.x-k8s.io \
  hetznerbaremetalmachines.infrastructure.cluster.x-k8s.io hetznerbaremetalhosts.infrastructure.cluster.x-k8s.io
kubectl create namespace metal
kubectl -n metal create secret generic robot-ssh --from-literal=sshkey-name=key --from-literal=ssh-privatekey=not-a-real-one
object metal Cluster.v1beta1.cluster.x-k8s.io prod '{infrastructureRef: {apiVersion: infrastructure.cluster.x-k8s.io/v1beta1, kind: HetznerCluster, name: prod}}'
object metal HetznerCluster.v1beta1.infrastructure.cluster.x-k8s.io prod '{sshKeys: {robotRescueSecretRef: {name: robot-ssh}}}'
finalizer metal clusters.cluster.x-k8s.io prod cluster.cluster.x-k8s.io manager
finalizer metal hetznerclusters prod hetznercluster.infrastructure.cluster.x-k8s.io manager
# machine NAME HOST creates a machine with its infrastructure on this host.
machine() {
  kubectl -n metal apply --field-manager=manager -f - <<YAML
apiVersion: cluster.x-k8s.io/v1beta1
kind: Machine
metadata: {name: prod-$1, labels: {cluster.x-k8s.io/cluster-name: prod}, ownerReferences: [$(owner clusters.cluster.x-k8s.io prod metal)]}
spec:
  clusterName: prod
  bootstrap: {dataSecretName: prod-$1}
  infrastructureRef: {apiVersion: infrastructure.cluster.x-k8s.io/v1beta1, kind: HetznerBareMetalMachine, name: prod-bm-$1}
YAML
  kubectl -n metal apply --field-manager=manager -f - <<YAML
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: HetznerBareMetalMachine
metadata:
  name: prod-bm-$1
  labels: {cluster.x-k8s.io/cluster-name: prod}
  annotations: {infrastructure.cluster.x-k8s.io/HetznerBareMetalHost: metal/$2}
  ownerReferences: [$(owner machines.cluster.x-k8s.io "prod-$1" metal)]
spec: {installImage: {image: {path: /root/.oldroot/nfs/images/Ubuntu-2204-jammy-amd64-base.tar.gz}}, sshSpec: {secretRef: {name: robot-ssh}, portAfterCloudInit: 22, portAfterInstallImage: 22}}
status: {phase: Provisioning}
YAML
  kubectl -n metal create secret generic "prod-$1" --type=cluster.x-k8s.io/secret --from-literal=value=data
  finalizer metal machines.cluster.x-k8s.io "prod-$1" machine.cluster.x-k8s.io manager
  finalizer metal hetznerbaremetalmachines "prod-bm-$1" hetznerbaremetalmachine.infrastructure.cluster.x-k8s.io manager
  kubectl -n metal apply --field-manager=manager -f - <<YAML
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: HetznerBareMetalHost
metadata: {name: $2, labels: {cluster.x-k8s.io/cluster-name: prod}, ownerReferences: [$(owner hetznerbaremetalmachines "prod-bm-$1" metal)]}
spec:
  serverID: 17${#2}5512
  consumerRef: {apiVersion: infrastructure.cluster.x-k8s.io/v1beta1, kind: HetznerBareMetalMachine, name: prod-bm-$1, namespace: metal}
  status:
    hetznerClusterRef: prod
    ipv4: 198.51.100.${#2}
    provisioningState: $3
    sshSpec: {secretRef: {name: robot-ssh}, portAfterCloudInit: 22, portAfterInstallImage: 22}
    conditions: $4
YAML
  finalizer metal hetznerbaremetalhosts "$2" hetznerbaremetalhost.infrastructure.cluster.x-k8s.io manager
}
machine 0 host-a provisioned "[{type: Ready, status: 'True', lastTransitionTime: '$(now)'}, {type: ProvisionSucceeded, status: 'True', lastTransitionTime: '$(now)'}]"
still="severity: Info, reason: StillProvisioning, message: 'host is still provisioning - state \"image-installing\"', lastTransitionTime: '$(now)'"
machine 1 host-b image-installing "[{type: Ready, status: 'False', $still}, {type: CredentialsAvailable, status: 'True', lastTransitionTime: '$(now)'},
  {type: ProvisionSucceeded, status: 'False', $still}]"
kubectl -n metal delete machines.cluster.x-k8s.io prod-1 --wait=false
kubectl -n metal delete hetznerbaremetalmachines prod-bm-1 --wait=false
kubectl -n metal patch hetznerbaremetalhost host-b --type=merge --field-manager=manager -p 'spec: {status: {provisioningState: deprovisioning}}'
says metal machines.cluster.x-k8s.io prod-1 manager "{phase: Deleting, conditions: [{type: Ready, status: 'False', severity: Info, reason: Deleting, lastTransitionTime: '$(now)'},
  {type: InfrastructureReady, status: 'False', severity: Info, reason: Deleting, lastTransitionTime: '$(now)'}]}"
says metal hetznerbaremetalmachines prod-bm-1 manager "{phase: Deleting, conditions: [{type: Ready, status: 'False', $still},
  {type: HostAssociateSucceeded, status: 'True', lastTransitionTime: '$(now)'}, {type: HostReady, status: 'False', $still},
  {type: BootstrapReady, status: 'True', lastTransitionTime: '$(now)'}, {type: HCloudTokenAvailable, status: 'True', lastTransitionTime: '$(now)'}]}"
late
aged 88 /registry/cluster.x-k8s.io/machines/metal/prod-1 machines.cluster.x-k8s.io prod-1 -n metal
aged 88 /registry/infrastructure.cluster.x-k8s.io/hetznerbaremetalmachines/metal/prod-bm-1 hetznerbaremetalmachines prod-bm-1 -n metal
event metal hetznerbaremetalhosts host-b FailedResetKubeAdm \
  'failed to reset kubeadm: failed to dial ssh. Error message: dial tcp 198.51.100.6:22: connect: connection refused. DialErr: failed to dial ssh' hetzner-controller
