# The conversion webhook runs outside the cluster, accepts requests and never answers.
backend ok
versions gadgets conv.example Gadget v1 "$no_conversion"
wait_for 20 "gadgets are served" kubectl get gadgets.conv.example -A
kubectl create namespace shop
object shop Gadget.v1.conv.example old
versions gadgets conv.example Gadget v2 "{strategy: Webhook, webhook: {conversionReviewVersions: [v1], clientConfig: {
  url: \"https://127.0.0.1:$BACKEND_PORT/mode/hang\", caBundle: $(base64 -w0 "$PLANE/certs/ca.crt")}}}" v1
unlistable "/apis/conv.example/v2/namespaces/shop/gadgets?limit=5"
kubectl delete namespace shop --wait=false
sleep 16
