# The mirror pod of a static pod is deleted. The manifest on the node remains.
node alive Ready
kubectl apply -f - <<'YAML'
apiVersion: v1
kind: Pod
metadata:
  name: proxy-alive
  namespace: kube-system
  annotations: {kubernetes.io/config.mirror: 5d1ff0c1e6, kubernetes.io/config.source: file, kubernetes.io/config.hash: 5d1ff0c1e6}
spec:
  nodeName: alive
  terminationGracePeriodSeconds: 1
  containers: [{name: c, image: example.invalid/none}]
YAML
kubectl -n kube-system delete pod proxy-alive --wait=false
sleep 13
