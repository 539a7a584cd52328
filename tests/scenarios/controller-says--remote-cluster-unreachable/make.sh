# A running operator applies its object to another cluster, which refuses connections.
node worker Ready
crd releases acme.io Release
operator deploy acme-releaser 1 releases.acme.io
pods_ready deploy acme-releaser
kubectl -n deploy create secret generic west --from-literal=value=kubeconfig
object deploy Release.v1.acme.io web '{kubeConfig: {secretRef: {name: west}}}'
finalizer deploy releases web acme.io/uninstall acme-releaser
kubectl -n deploy delete releases.acme.io web --wait=false
refused='uninstall failed: Get "https://192.0.2.7:6443/version": dial tcp 192.0.2.7:6443: connect: connection refused'
says deploy releases.acme.io web acme-releaser \
  "{observedGeneration: 3, conditions: [$(condition Ready False UninstallFailed "$refused")]}"
late
