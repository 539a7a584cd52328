# The mirror pod of a static pod is deleted. The manifest remains on the node.
inside sh -c 'cat >/run/static-pods/proxy.yaml' <<YAML
apiVersion: v1
kind: Pod
metadata: {name: proxy, namespace: kube-system}
spec:
  terminationGracePeriodSeconds: 5
  containers: [{name: c, $(container obey 1)}]
YAML
wait_for 60 "its mirror is there" kubectl -n kube-system get pod proxy-worker
runs kube-system proxy-worker
kubectl -n kube-system get pod proxy-worker -o jsonpath='{.metadata.uid}' >"$PLANE/uid"
kubectl -n kube-system delete pod proxy-worker --wait=false
sleep 13
