# Somebody wonders why it is still there: nobody has deleted it, and nobody could.
dead_webhook guard DELETE "" configmaps
kubectl create namespace shop
kubectl -n shop create configmap ledger
