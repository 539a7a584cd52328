# The only owner is gone, and a dead webhook refuses the garbage collector's DELETE.
dead_webhook guard DELETE "" configmaps
kubectl create namespace shop
names_owner shop index v1 ConfigMap nobody 11111111-1111-4111-8111-111111111111
late
