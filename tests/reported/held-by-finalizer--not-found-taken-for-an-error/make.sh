# The cloud reclaimed a spot machine: its node, virtual machine, network interface and disk are
# gone. The controller looks up the machine in the cloud before it removes its finalizer. It does
# not recognize the cloud's "not found" message and treats it as an error each time. Only its log
# says so.
kubelet
node_with_kubelet worker
node aks-general-m2k8d Ready
settled worker aks-general-m2k8d
crd aksnodeclasses karpenter.azure.com AKSNodeClass Cluster v1alpha2
crd nodepools karpenter.sh NodePool Cluster v1beta1
crd nodeclaims karpenter.sh NodeClaim Cluster v1beta1
works 6000 kube-system karpenter aksnodeclasses.karpenter.azure.com nodeclaims.karpenter.sh nodepools.karpenter.sh nodes.
leading kube-system karpenter-leader-election "$(pods_of kube-system karpenter)_4c1e6a0b"
kubectl apply -f - <<'YAML'
apiVersion: karpenter.azure.com/v1alpha2
kind: AKSNodeClass
metadata: {name: default}
spec: {imageFamily: AzureLinux}
YAML
for pool in spot general; do
  kubectl apply -f - <<YAML
apiVersion: karpenter.sh/v1beta1
kind: NodePool
metadata: {name: $pool}
spec:
  disruption: {consolidationPolicy: WhenUnderutilized, expireAfter: Never}
  template: {spec: {nodeClassRef: {name: default}, requirements: [{key: karpenter.sh/capacity-type, operator: In, values: [$([ $pool = spot ] && echo spot || echo on-demand)]}]}}
YAML
done
since=$(date -u -d '-6 days' +%FT%TZ)
# machine NAME POOL creates a machine, with its node if that exists.
machine() {
  kubectl apply --field-manager=karpenter -f - <<YAML
apiVersion: karpenter.sh/v1beta1
kind: NodeClaim
metadata:
  name: $1
  labels: {karpenter.sh/nodepool: $2, karpenter.sh/capacity-type: $([ $2 = spot ] && echo spot || echo on-demand), topology.kubernetes.io/zone: westeurope-1}
  ownerReferences: [$(owner nodepools.karpenter.sh "$2")]
spec:
  nodeClassRef: {name: default}
  resources: {requests: {cpu: 3420m, pods: "21"}}
status:
  nodeName: aks-$1
  imageID: /CommunityGalleries/AKSAzureLinux/images/V2gen2/versions/202410.09.0
  providerID: "azure:///subscriptions/0b1f6471-1bf0-4dda-aec3-cb9272f09590/resourceGroups/mc_prod_aks_westeurope/providers/Microsoft.Compute/virtualMachines/aks-$1"
  conditions:
$(for type in Initialized Launched Ready Registered; do echo "  - {type: $type, status: 'True', lastTransitionTime: '$since'}"; done)
YAML
  finalizer "" nodeclaims.karpenter.sh "$1" karpenter.sh/termination karpenter
}
machine spot-x7k2p spot
machine general-m2k8d general
kubectl patch node aks-general-m2k8d --type=merge --field-manager=karpenter -p "{\"metadata\": {\"finalizers\": [\"karpenter.sh/termination\"], \"labels\": {\"karpenter.sh/nodepool\": \"general\"}},
  \"spec\": {\"providerID\": \"$(kubectl get nodeclaim general-m2k8d -o jsonpath='{.status.providerID}')\"}}"
# A pod of the lost node now runs elsewhere, and its budget allows no eviction.
kubectl create namespace shop
pod shop cart-0 aks-general-m2k8d 30
kubectl -n shop label pod cart-0 app=cart
kubectl -n shop patch pod cart-0 --subresource=status --type=merge -p "status: {phase: Running, conditions: [$(condition Ready True)]}"
kubectl -n shop apply -f - <<'YAML'
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: cart}
spec: {minAvailable: 1, selector: {matchLabels: {app: cart}}}
YAML
kubectl delete nodeclaim spot-x7k2p --wait=false
late
aged 4300 /registry/karpenter.sh/nodeclaims/spot-x7k2p nodeclaim spot-x7k2p
# writes LEVEL MESSAGE NODECLAIM [ERROR] writes a line to the controller's log.
writes() {
  log kube-system "$(pods_of kube-system karpenter)" manager "{\"level\":\"$1\",\"time\":\"$(now)\",\"logger\":\"controller\",\"message\":\"$2\",\"commit\":\"846ef96\",\
\"controller\":\"nodeclaim.termination\",\"controllerGroup\":\"karpenter.sh\",\"controllerKind\":\"NodeClaim\",\"NodeClaim\":{\"name\":\"$3\"}${4:+,\"error\":\"$4\"}}"
}
vm=/subscriptions/0b1f6471-1bf0-4dda-aec3-cb9272f09590/resourceGroups/mc_prod_aks_westeurope/providers/Microsoft.Compute/virtualMachines/aks-spot-x7k2p
writes INFO 'deleted nodeclaim' general-9mz4c
for n in 1 2; do
  writes ERROR 'Reconciler error' spot-x7k2p "terminating cloudprovider instance, GET https://management.azure.com$vm RESPONSE 404: 404 Not Found ERROR CODE: ResourceNotFound The Resource 'Microsoft.Compute/virtualMachines/aks-spot-x7k2p' under resource group 'mc_prod_aks_westeurope' was not found."
done
