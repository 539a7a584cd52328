# Two objects that are well, and are to be deleted.
kubectl create configmap first
kubectl create configmap second
