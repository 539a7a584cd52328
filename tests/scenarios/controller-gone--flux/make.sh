# Flux was deleted with its namespace. Its controllers were deleted before its objects.
crd kustomizations kustomize.toolkit.fluxcd.io Kustomization
crd helmreleases helm.toolkit.fluxcd.io HelmRelease Namespaced v2
crd gitrepositories source.toolkit.fluxcd.io GitRepository
for crd in kustomizations.kustomize helmreleases.helm gitrepositories.source; do
  kubectl label crd $crd.toolkit.fluxcd.io app.kubernetes.io/part-of=flux app.kubernetes.io/instance=flux-system
done
rights crd-controller-flux-system kustomizations.kustomize.toolkit.fluxcd.io \
  helmreleases.helm.toolkit.fluxcd.io gitrepositories.source.toolkit.fluxcd.io
for controller in kustomize helm source; do
  operator flux-system $controller-controller 1
  kubectl create clusterrolebinding crd-controller-flux-system-$controller \
    --clusterrole=crd-controller-flux-system --serviceaccount=flux-system:$controller-controller
done
# held KIND TYPE NAME MANAGER SPEC creates an object with the Flux finalizer, set by this
# controller.
held() {
  object flux-system "$1" "$3" "$5"
  finalizer flux-system "$2" "$3" finalizers.fluxcd.io "$4"
}
held Kustomization.v1.kustomize.toolkit.fluxcd.io kustomizations apps kustomize-controller '{path: ./apps, prune: true}'
held HelmRelease.v2.helm.toolkit.fluxcd.io helmreleases podinfo helm-controller '{releaseName: podinfo}'
held GitRepository.v1.source.toolkit.fluxcd.io gitrepositories flux-system gotk-source-controller '{interval: 5m}'
delete_namespace flux-system
