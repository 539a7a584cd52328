# Somebody deleted the ClusterRoleBinding by which the namespace controller may delete, as an
# "unused" binding. Its account, its role and all other bindings exist.
alone
kubectl create namespace shop
kubectl -n shop create configmap settings
kubectl delete clusterrolebinding system:controller:namespace-controller
forbidden() {
  ! kubectl auth can-i delete configmaps -n shop --as=system:serviceaccount:kube-system:namespace-controller
}
wait_for 20 "the authorizer has heeded it" forbidden
kubectl delete namespace shop --wait=false
sleep 17
