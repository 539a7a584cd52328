# Nobody has deleted this object, and a dead webhook would refuse its deletion.
dead_webhook guard DELETE "" configmaps
kubectl create namespace shop
kubectl -n shop create configmap ledger
