# A version was removed from a definition while an object is still stored in it. Another kind lost
# its old version in the right order.
versions olds sv.example Old v1alpha1 "$no_conversion"
versions news sv.example New v1alpha1 "$no_conversion"
wait_for 20 "both are served" kubectl get olds.sv.example,news.sv.example -A
kubectl create namespace shop
object shop Old.v1alpha1.sv.example old
for kind in olds:Old news:New; do
  versions "${kind%:*}" sv.example "${kind#*:}" v1 "$no_conversion" v1alpha1
  kubectl patch crd "${kind%:*}.sv.example" --subresource=status --type=merge -p '{"status":{"storedVersions":["v1"]}}'
  versions "${kind%:*}" sv.example "${kind#*:}" v1 "$no_conversion"
done
object shop New.v1.sv.example new
unlistable "/apis/sv.example/v1/namespaces/shop/olds?limit=5"
kubectl delete namespace shop --wait=false
looked shop
late
