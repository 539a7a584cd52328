# The conversion webhook has a Service, but its Deployment is scaled to zero.
versions gadgets conv.example Gadget v1 "$no_conversion"
wait_for 20 "gadgets are served" kubectl get gadgets.conv.example -A
kubectl create namespace shop
operator ops conv 0
kubectl apply -f - <<'YAML'
apiVersion: v1
kind: Service
metadata: {name: conv, namespace: ops}
spec: {selector: {app.kubernetes.io/name: conv}, ports: [{port: 443, targetPort: 9443}]}
YAML
object shop Gadget.v1.conv.example old
versions gadgets conv.example Gadget v2 "$(dead_conversion ops conv)" v1
unlistable "/apis/conv.example/v2/namespaces/shop/gadgets?limit=5"
kubectl delete namespace shop --wait=false
looked shop
late
