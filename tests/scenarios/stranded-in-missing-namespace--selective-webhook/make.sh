# A webhook that selects namespaces: where there is none, not even a DELETE passes.
dead_webhook guard DELETE "" configmaps '{matchLabels: {guarded: "yes"}}'
kubectl create namespace gone
furnished gone
kubectl -n gone create configmap settings
force_finalize gone
late
