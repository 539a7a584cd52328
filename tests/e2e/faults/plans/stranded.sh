# What is left of a namespace that was finalized by force: one object that is held.
kubectl create namespace gone
furnished gone
owned gone settings acme.io/mirror
kubectl -n gone delete configmap settings --wait=false
force_finalize gone
late
