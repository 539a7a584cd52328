# A network of cloud resources has one finalizer of its controller and one for its dependent. The
# dependent is gone, but its finalizer was not removed, and the controller keeps reporting that it
# waits for it.
node worker Ready
settled worker
crd terraforms infra.contrib.fluxcd.io Terraform Namespaced v1alpha2
crd gitrepositories source.toolkit.fluxcd.io GitRepository
works 600 flux-system tofu-controller terraforms.infra.contrib.fluxcd.io
leading flux-system 1953de50.contrib.fluxcd.io tofu-controller-66b8_1
works 600 flux-system source-controller gitrepositories.source.toolkit.fluxcd.io
kubectl create namespace test-ns
object test-ns GitRepository.v1.source.toolkit.fluxcd.io infra '{url: "https://git.example.com/infra"}'
spec='{destroyResourcesOnDeletion: true, sourceRef: {kind: GitRepository, name: infra}, path: ./vpc'
object test-ns Terraform.v1alpha2.infra.contrib.fluxcd.io test-vpc "$spec}"
object test-ns Terraform.v1alpha2.infra.contrib.fluxcd.io other-vpc "$spec}"
object test-ns Terraform.v1alpha2.infra.contrib.fluxcd.io test-rds-testdb2 "$spec, dependsOn: [{name: other-vpc}]}"
[ -z "${TWIN:-}" ] || object test-ns Terraform.v1alpha2.infra.contrib.fluxcd.io test-rds-testdb1 "$spec, dependsOn: [{name: test-vpc}]}"
for pair in test-vpc:test-rds-testdb1 other-vpc:test-rds-testdb2; do
  kubectl -n test-ns patch terraform "${pair%:*}" --type=merge --field-manager=tf-controller \
    -p "metadata: {finalizers: [finalizers.tf.contrib.fluxcd.io, tf.dependency.of.${pair#*:}]}"
done
kubectl -n test-ns patch terraform test-rds-testdb2 --type=merge --field-manager=tf-controller -p 'metadata: {finalizers: [finalizers.tf.contrib.fluxcd.io]}'
kubectl -n test-ns delete terraform test-vpc --wait=false
blocked() {
  says test-ns terraform test-vpc tf-controller "{observedGeneration: 2, conditions: [{type: Ready, status: 'False', reason: DeletionBlockedByDependants,
    message: 'Deletion in progress, but blocked. Please delete test-rds-testdb1 to resume ...', lastTransitionTime: '$1'}]}"
}
blocked "$(now)"
late
aged 200 /registry/infra.contrib.fluxcd.io/terraforms/test-ns/test-vpc terraform test-vpc -n test-ns
