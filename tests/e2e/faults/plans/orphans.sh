# What is left of a namespace that was finalized by force: held, on its way out, and alive.
kubectl create namespace gone
furnished gone
owned gone settings acme.io/mirror
owned gone prices
kubectl -n gone delete configmap settings --wait=false
force_finalize gone
late
