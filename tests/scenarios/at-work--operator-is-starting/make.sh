# An operator was restarted: its pod is seconds old, and its containers are being created.
node worker Ready
crd safes strongroom.dev Safe
operator strong strongroom 1 safes.strongroom.dev
kubectl create namespace fin
object fin Safe.v1.strongroom.dev main '{size: 3}'
finalizer fin safes.strongroom.dev main strongroom.dev/empty strongroom
kubectl -n fin delete safes.strongroom.dev main --wait=false
pods_waiting strong strongroom ContainerCreating ''
late
