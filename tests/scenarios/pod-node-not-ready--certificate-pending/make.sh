# A node's kubelet has requested a certificate, and nobody has approved it. The request of another
# node was approved.
node alive Ready
node quarry-3 NotReady
kubectl create clusterrolebinding ask --clusterrole=system:node --group=system:nodes
request() {
  openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout /dev/null \
    -subj "/O=system:nodes/CN=system:node:$1" -out "$PLANE/$1.csr" 2>/dev/null
  kubectl create --as="system:node:$1" --as-group=system:nodes --as-group=system:authenticated -f - <<YAML
apiVersion: certificates.k8s.io/v1
kind: CertificateSigningRequest
metadata: {name: csr-$1}
spec:
  signerName: kubernetes.io/kube-apiserver-client-kubelet
  request: $(base64 -w0 <"$PLANE/$1.csr")
  usages: [digital signature, client auth]
YAML
}
request quarry-3
request alive
kubectl certificate approve csr-alive
kubectl create namespace shop
pod shop web quarry-3 1
kubectl -n shop delete pod web --wait=false
late
