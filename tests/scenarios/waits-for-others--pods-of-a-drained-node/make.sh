# aws/karpenter-provider-aws#1166: the machine of a node was terminated in the cloud before it was drained. Its kubelet is
# silent, its pods are not confirmed, and Karpenter waits for them.
crd provisioners karpenter.sh Provisioner Cluster v1alpha5
logging karpenter karpenter provisioners.karpenter.sh nodes.
works 600 cluster-autoscaler-decoy descheduler pods.
node ip-10-30-44-70 NotReady
node ip-10-30-44-71 Ready
settled ip-10-30-44-71
kubectl label node ip-10-30-44-70 karpenter.sh/provisioner-name=default
kubectl patch node ip-10-30-44-70 --type=merge --field-manager=karpenter -p '{"metadata":{"finalizers":["karpenter.sh/termination"]},"spec":{"unschedulable":true,"providerID":"aws:///ap-south-1a/i-0a1"}}'
for what in calico-system/calico-kube-controllers-59f4448cd7-wqhc5 cert-manager/cert-manager-6875b5cc95-zx6sz; do
  namespace ${what%/*}
  pod ${what%/*} ${what#*/} ip-10-30-44-70 30
  kubectl -n ${what%/*} patch pod ${what#*/} --subresource=status --type=merge -p "status: {phase: Running, startTime: \"$(now)\", conditions: [$(condition Ready False)],
    containerStatuses: [{name: c, image: x, imageID: x, ready: true, restartCount: 0, state: {running: {startedAt: \"$(now)\"}}}]}"
done
agents calico-system calico-node globalnetworkpolicies.projectcalico.org 'tolerations: [{operator: Exists}]'
kubectl delete node ip-10-30-44-70 --wait=false
for what in calico-system/calico-kube-controllers-59f4448cd7-wqhc5 cert-manager/cert-manager-6875b5cc95-zx6sz; do
  kubectl -n ${what%/*} delete pod ${what#*/} --wait=false
  aged 960 /registry/pods/$what pod ${what#*/} -n ${what%/*}
done
aged 970 /registry/minions/ip-10-30-44-70 node ip-10-30-44-70
TRIES=1 AGO=400 logged karpenter "$(pods_of karpenter karpenter)" manager ip-10-30-44-99 <<'LOG'
@iso	INFO	controller.termination	Cordoned node	{"commit": "7e79a67", "node": "ip-10-30-44-70"}
LOG
