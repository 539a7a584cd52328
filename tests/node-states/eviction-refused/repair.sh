# A short downtime is acceptable. The operator then finds the node empty.
kubectl -n shop delete pod db-0
kubectl -n shop delete pod web-0 web-1
kubectl patch node worker --type=merge -p '{"metadata": {"finalizers": null}}'
