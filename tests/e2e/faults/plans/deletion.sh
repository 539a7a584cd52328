# Two healthy objects to delete.
kubectl create configmap first
kubectl create configmap second
