# Two virtual nodes of one provider, whose kubelets are Deployments. The kubelet of the pod's node
# runs and reports a failure. The other one is scaled to 0.
vk() {
  kubectl apply --field-manager=vk -f - <<YAML
apiVersion: v1
kind: Node
metadata: {name: $1, labels: {type: virtual-kubelet}}
YAML
  kubectl patch node "$1" --subresource=status --type=merge --field-manager=vk -p "status: {conditions: [$(condition Ready True)]}"
  heartbeat "$1"
  every 5 renew kube-node-lease "$1" vk <&3 >/dev/null 2>&1 &
}
node worker Ready
operator hpc vk-leonardo 1
pods_ready hpc vk-leonardo
operator hpc vk-juwels 0
vk vk-leonardo
settled vk-leonardo
kubectl create namespace sim
kubectl apply -f - <<'YAML'
apiVersion: v1
kind: Pod
metadata: {name: cms, namespace: sim}
spec:
  nodeName: vk-leonardo
  automountServiceAccountToken: false
  terminationGracePeriodSeconds: 2
  containers: [{name: main, image: example.invalid/none}]
YAML
kubectl -n sim patch pod cms --subresource=status --type=merge --field-manager=vk -p "status: {phase: Running, conditions: [$(condition Ready True)],
  containerStatuses: [{name: main, image: x, imageID: x, ready: true, restartCount: 0, state: {running: {startedAt: '$(now)'}}}]}"
kubectl -n sim delete pod cms --wait=false
event sim pod cms ProviderDeleteFailed 'the site answers 401: token expired' vk-leonardo/pod-controller
late
aged 55 /registry/pods/sim/cms pod cms -n sim
