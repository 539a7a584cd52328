# The internal image registry was disabled. An operator deletes its pull secrets, but the controller
# that set a finalizer on them is no longer started: the controller manager's configuration disables
# it. The controller manager runs and is healthy otherwise.
node worker Ready
settled worker
crd configs imageregistry.operator.openshift.io Config Cluster
crd openshiftcontrollermanagers operator.openshift.io OpenShiftControllerManager Cluster
crd clusteroperators config.openshift.io ClusterOperator Cluster
crd builds build.openshift.io Build
operator openshift-controller-manager controller-manager 0 builds.build.openshift.io
kubectl -n openshift-controller-manager patch deployment controller-manager --type=strategic -p 'spec: {replicas: 1, template: {spec: {
  volumes: [{name: config, configMap: {name: config}}],
  containers: [{name: manager, image: quay.io/openshift-release-dev/ocp-v4.0-art-dev, command: [openshift-controller-manager, start],
    args: [--config=/var/run/configmaps/config/config.yaml, -v=2], volumeMounts: [{name: config, mountPath: /var/run/configmaps/config}]}]}}}'
pods_on worker openshift-controller-manager controller-manager
pods_running_since 385 openshift-controller-manager controller-manager
leading openshift-controller-manager openshift-master-controllers "$(pods_of openshift-controller-manager controller-manager)"
service_account openshift-infra serviceaccount-pull-secrets-controller
kubectl apply -f - <<'YAML'
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: "system:openshift:controller:serviceaccount-pull-secrets-controller"}
rules:
- {apiGroups: [""], resources: [secrets], verbs: [create, delete, get, list, patch, update, watch]}
- {apiGroups: [""], resources: [serviceaccounts], verbs: [get, list, patch, update, watch]}
- {apiGroups: [""], resources: [serviceaccounts/token], verbs: [create]}
YAML
kubectl create clusterrolebinding system:openshift:controller:serviceaccount-pull-secrets-controller \
  --clusterrole=system:openshift:controller:serviceaccount-pull-secrets-controller --serviceaccount=openshift-infra:serviceaccount-pull-secrets-controller
for name in openshift-controller-manager-operator cluster-image-registry-operator; do
  namespace=$name
  if [ $name = cluster-image-registry-operator ]; then namespace=openshift-image-registry; fi
  service_account $namespace $name
  kubectl create clusterrolebinding system:openshift:operator:$name --clusterrole=cluster-admin --serviceaccount=$namespace:$name
  deployment $namespace $name 1
  pods_on worker $namespace $name
  pods_running_since 9000 $namespace $name
done
works 9000 cert-manager cert-manager secrets.
object "" Config.v1.imageregistry.operator.openshift.io cluster '{managementState: Removed, replicas: 1, storage: {emptyDir: {}}}'
says default configs.imageregistry.operator.openshift.io cluster cluster-image-registry-operator "{conditions: [$(condition Available True Removed 'The registry is removed'), $(condition Progressing False Removed 'All registry resources are removed'), $(condition Removed True Removed 'The image registry is removed')]}"
object "" OpenShiftControllerManager.v1.operator.openshift.io cluster '{managementState: Managed, observedConfig: {controllers: ["*", "-openshift.io/serviceaccount-pull-secrets"]}}'
says default openshiftcontrollermanagers cluster cluster-openshift-controller-manager-operator "{conditions: [$(condition Available True AsExpected), $(condition Degraded False AsExpected), $(condition Progressing False AsExpected)]}"
object "" ClusterOperator.v1.config.openshift.io openshift-controller-manager
says default clusteroperators openshift-controller-manager cluster-openshift-controller-manager-operator "{conditions: [$(condition Available True AsExpected 'All is well'), $(condition Degraded False AsExpected 'All is well')]}"
kubectl -n openshift-controller-manager create configmap config \
  --from-literal=config.yaml='{"apiVersion":"openshiftcontrolplane.config.openshift.io/v1","kind":"OpenShiftControllerManagerConfig","controllers":["*","-openshift.io/serviceaccount-pull-secrets"],"leaderElection":{"name":"openshift-master-controllers"}}'
kubectl create namespace team-a
for account in builder default; do
  if [ $account != default ]; then kubectl -n team-a create serviceaccount $account; fi
  wait_for 20 "the account $account" kubectl -n team-a get serviceaccount $account
  kubectl apply --server-side --field-manager=kube-controller-manager -f - <<YAML
apiVersion: v1
kind: Secret
metadata:
  name: $account-dockercfg-7xk2p
  namespace: team-a
  annotations: {kubernetes.io/service-account.name: $account, openshift.io/token-secret.name: $account-token-9m4zl, openshift.io/token-secret.value: not-a-real-one}
type: kubernetes.io/dockercfg
data: {.dockercfg: e30=}
YAML
  kubectl apply --server-side --force-conflicts --field-manager=openshift.io/image-registry-pull-secrets_legacy-token-secrets-controller -f - <<YAML
apiVersion: v1
kind: Secret
metadata:
  name: $account-dockercfg-7xk2p
  namespace: team-a
  annotations: {openshift.io/internal-registry-auth-token.type: legacy}
  finalizers: [openshift.io/legacy-token]
YAML
done
kubectl -n team-a create secret generic registry-login --from-literal=token=not-a-real-one
kubectl -n team-a delete secret default-dockercfg-7xk2p builder-dockercfg-7xk2p --wait=false
late
for account in builder default; do
  aged 370 /registry/secrets/team-a/$account-dockercfg-7xk2p secret $account-dockercfg-7xk2p -n team-a
done
