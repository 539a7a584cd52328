# A kind whose rows are stored in an old version, and whose conversion webhook is
# gone: nobody can list it, the namespace controller included.
versions() {
  kubectl apply -f - <<YAML
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gadgets.conv.example}
spec:
  group: conv.example
  names: {plural: gadgets, singular: gadget, kind: Gadget}
  scope: Namespaced
  conversion: $1
  versions:
$2
YAML
}
schema='schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}'
versions '{strategy: None}' "  - {name: v1, served: true, storage: true, $schema}"
kubectl wait --for=condition=Established crd/gadgets.conv.example --timeout=20s
wait_for 20 "gadgets are served" kubectl get gadgets.conv.example -A
kubectl create namespace shop
kubectl -n shop apply -f - <<'YAML'
apiVersion: conv.example/v1
kind: Gadget
metadata: {name: old}
YAML
versions '{strategy: Webhook, webhook: {conversionReviewVersions: [v1], clientConfig: {service: {namespace: gone, name: conv}}}}' \
  "  - {name: v2, served: true, storage: true, $schema}
  - {name: v1, served: true, storage: false, $schema}"
wait_for 60 "gadgets can no longer be listed" \
  sh -c '! kubectl get --raw "/apis/conv.example/v2/namespaces/shop/gadgets?limit=5" 2>/dev/null'
kubectl delete namespace shop --wait=false
looked shop
sleep 6
