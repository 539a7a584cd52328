# A platform's finalizer is on the Namespace itself, and its controller is scaled to zero.
operator kubesphere-system ks-controller-manager 0 namespaces.
kubectl create namespace shop
kubectl patch namespace shop --type=merge --field-manager=ks-controller-manager \
  -p 'metadata: {finalizers: [finalizers.kubesphere.io/namespaces]}'
delete_namespace shop
wait_for 60 "the namespace controller has let go of shop" is "" '{.spec.finalizers}' namespace shop
