# A control plane and its extension were deleted together, and the control plane was gone first. The
# operator has to remove the extension from the control plane, and the extension's Secret waits for
# the extension. A second extension, of another control plane, is healthy.
node worker Ready
settled worker
crd konnectextensions konnect.konghq.com KonnectExtension Namespaced v1alpha2
crd konnectgatewaycontrolplanes konnect.konghq.com KonnectGatewayControlPlane Namespaced v1alpha2
crd konnectapiauthconfigurations konnect.konghq.com KonnectAPIAuthConfiguration Namespaced v1alpha1
crd dataplanes gateway-operator.konghq.com DataPlane Namespaced v1beta1
works 600 kong-system kong-operator-controller-manager konnectextensions.konnect.konghq.com \
  konnectgatewaycontrolplanes.konnect.konghq.com konnectapiauthconfigurations.konnect.konghq.com dataplanes.gateway-operator.konghq.com secrets.
leading kong-system a7feedc84.konghq.com kong-operator-controller-manager-5d7_1
works 600 cert-manager cert-manager secrets.
kubectl create namespace demo
object demo KonnectAPIAuthConfiguration.v1alpha1.konnect.konghq.com konnect-api-auth '{type: token, serverURL: us.api.konghq.tech}'
says demo konnectapiauthconfigurations konnect-api-auth manager "{conditions: [$(condition APIAuthValid True Valid)]}"
extension() {
  object demo KonnectExtension.v1alpha2.konnect.konghq.com "$1" \
    "{konnect: {controlPlane: {ref: {type: konnectNamespacedRef, konnectNamespacedRef: {name: $2}}}}}"
  finalizer demo konnectextensions "$1" gateway.konghq.com/konnect-cleanup manager
  kubectl apply --server-side --field-manager=manager -f - <<YAML
apiVersion: v1
kind: Secret
metadata:
  name: $1-cert
  namespace: demo
  labels: {konghq.com/konnect-dp-cert: "true"}
  finalizers: [gateway.konghq.com/secret-in-use]
  ownerReferences: [$(owner konnectextensions "$1" demo)]
type: kubernetes.io/tls
data: {tls.crt: "", tls.key: ""}
YAML
  says demo konnectextensions "$1" manager "{konnect: {controlPlaneID: 00000000-0000-4000-8000-00000000000a},
    dataPlaneClientAuth: {certificateSecretRef: {name: $1-cert}}, conditions: [$(condition Ready True Ready)]}"
}
object demo KonnectGatewayControlPlane.v1alpha2.konnect.konghq.com other-control-plane '{konnect: {authRef: {name: konnect-api-auth}}}'
extension my-konnect-config gateway
extension other-konnect-config other-control-plane
if [ -n "${TWIN:-}" ]; then
  object demo KonnectGatewayControlPlane.v1alpha2.konnect.konghq.com gateway '{konnect: {authRef: {name: konnect-api-auth}}}'
  says demo konnectgatewaycontrolplanes gateway manager "{conditions: [$(condition Programmed False KonnectAPIOpFailed '401 Unauthorized: the token of konnect-api-auth has expired')]}"
fi
kubectl -n demo delete konnectextensions/my-konnect-config secrets/my-konnect-config-cert --wait=false
says demo konnectextensions my-konnect-config manager "{conditions: [
  $(condition Ready False Pending 'Some conditions are not yet met.'),
  $(condition ControlPlaneRefValid False Invalid "the referenced KonnectGatewayControlPlane demo/gateway $([ -n "${TWIN:-}" ] && echo is not programmed yet || echo does not exist)")]}"
late
aged 35 /registry/konnect.konghq.com/konnectextensions/demo/my-konnect-config konnectextensions my-konnect-config -n demo
aged 35 /registry/secrets/demo/my-konnect-config-cert secret my-konnect-config-cert -n demo
