# The kubelet's certificate has expired, and nobody approves its request for another one.
node alive Ready
kubectl create namespace shop
real_pod shop web 5 "$(container obey 1)"
runs shop web
killed kubelet
cp "$PLANE/certs/node.pem" "$PLANE/certs/kept.pem"
"$NODE_PROGRAM" certificate "$PLANE" node 45
cp "$PLANE/kubelet.yaml" "$PLANE/kubelet.yaml.kept"
echo "rotateCertificates: true" >>"$PLANE/kubelet.yaml"
started kubelet
asked() { test -n "$(kubectl get certificatesigningrequests -o name)"; }
wait_for 60 "it has asked for another one" asked
silent
kubectl -n shop delete pod web --wait=false
sleep 8
