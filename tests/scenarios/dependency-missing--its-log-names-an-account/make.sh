# The account under which Flux removes what it applied was deleted first. Only its log says so, and names
# it (controller-runtime, JSON). Another account is there.
crd kustomizations kustomize.toolkit.fluxcd.io Kustomization
logging flux-system kustomize-controller kustomizations.kustomize.toolkit.fluxcd.io
service_account shop viewer
hung 5 shop Kustomization.v1.kustomize.toolkit.fluxcd.io kustomizations web finalizers.fluxcd.io kustomize-controller '{prune: true, path: ./web}'
logged flux-system "$(pods_of flux-system kustomize-controller)" manager web <<'LOG'
{"level":"error","ts":"@iso","msg":"Reconciler error","controller":"kustomization","controllerGroup":"kustomize.toolkit.fluxcd.io","controllerKind":"Kustomization","Kustomization":{"name":"web","namespace":"shop"},"namespace":"shop","name":"web","reconcileID":"1f2a3b4c-5d6e-4f7a-8b8c-9d0e1f2a3b4c","error":"failed to build the client for garbage collection: ServiceAccount shop/deployer not found"}
LOG
