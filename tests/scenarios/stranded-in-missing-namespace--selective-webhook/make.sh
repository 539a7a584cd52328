# A webhook selects namespaces by label. In a namespace that does not exist even DELETE is refused.
dead_webhook guard DELETE "" configmaps '{matchLabels: {guarded: "yes"}}'
kubectl create namespace gone
furnished gone
kubectl -n gone create configmap settings
force_finalize gone
late
