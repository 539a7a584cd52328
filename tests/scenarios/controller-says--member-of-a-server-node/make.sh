# A server node of a distribution waits until its etcd member is removed. The server process of
# another node does that, and says in a condition of the node why it cannot.
node server-1 Ready
node server-2 NotReady
node server-3 Ready
for n in 1 2 3; do
  kubectl label node server-$n node-role.kubernetes.io/control-plane=true node-role.kubernetes.io/etcd=true
  kubectl annotate node server-$n etcd.larch.example/member=server-$n-0a1b$n
  kubectl patch node server-$n --type=merge --field-manager=larch -p 'metadata: {finalizers: [larch.example/managed-etcd-controller]}'
done
settled server-1 server-3
works 600 cattle cluster-agent nodes.
kubectl delete node server-3 --wait=false
late
aged 50 /registry/minions/server-3 node server-3
[ -n "${TWIN:-}" ] || kubectl patch node server-3 --subresource=status --type=strategic --field-manager=larch -p "status: {conditions: [
  $(condition EtcdIsVoter False RemovalFailed 'etcdserver: re-configuration failed due to not enough started members')]}"
