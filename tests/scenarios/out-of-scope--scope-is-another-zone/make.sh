# Each zone has its own operator. The operator of the mooring's zone was removed.
node worker Ready
crd moorings pierside.dev Mooring
told pier pierside-1a 1 'args: ["--zone=eu-1a"]' moorings.pierside.dev
pods_ready pier pierside-1a
kubectl create namespace team-a
object team-a Mooring.v1.pierside.dev north '{zone: eu-1b}'
object team-a Mooring.v1.pierside.dev south '{zone: eu-1a}'
finalizer team-a moorings.pierside.dev north pierside.dev/cast-off pierside
finalizer team-a moorings.pierside.dev south pierside.dev/cast-off pierside
kubectl -n team-a delete moorings.pierside.dev north --wait=false
late
