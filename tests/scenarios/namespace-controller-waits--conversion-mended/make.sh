# The namespace controller could not list a kind for an hour because its conversion failed, so it
# has written no conditions. The conversion works again as of now.
versions gadgets conv.example Gadget v1 "$no_conversion"
wait_for 20 "gadgets are served" kubectl get gadgets.conv.example -A
kubectl create namespace other
kubectl create namespace shop
object other Gadget.v1.conv.example old
versions gadgets conv.example Gadget v2 "$(dead_conversion gone conv)" v1
unlistable "/apis/conv.example/v2/namespaces/other/gadgets?limit=5"
kubectl delete namespace shop --wait=false
sleep 16
leading kube-system kube-controller-manager master-1_0c1d
manager STOP
# The controller may have deleted more or less by now. Delete the rest.
kubectl -n shop delete configmaps,serviceaccounts --all
aged 60 /registry/namespaces/shop namespace shop
# The definition is older than the deletion.
definition=$(kubectl get crd gadgets.conv.example -o json --show-managed-fields)
definition=$(sed -E "s/(\"creationTimestamp\": )\"[^\"]+\"/\1\"$(date -u -d '-90 minutes' +%FT%TZ)\"/; /\"resourceVersion\"/d" <<<"$definition")
"$CONTROL_PLANE" etcd-put /registry/apiextensions.k8s.io/customresourcedefinitions/gadgets.conv.example \
  "$definition" --endpoint "$ETCD_ENDPOINT"
kubectl patch crd gadgets.conv.example --type=merge -p '{"spec":{"conversion":{"strategy":"None","webhook":null}}}'
for version in v1 v2; do
  wait_for 60 "gadgets are listed again, from the cache, too" \
    kubectl get --raw "/apis/conv.example/$version/gadgets?resourceVersion=0"
done
