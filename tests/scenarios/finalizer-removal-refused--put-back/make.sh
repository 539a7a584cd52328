# A mutating policy adds the finalizer again in every update. The finalizer's controller does not
# exist.
kubectl create namespace shop
kubectl -n shop create configmap orders --from-literal=a=b
kubectl -n shop patch configmap orders --field-manager=audit --type=merge \
  -p '{"metadata":{"finalizers":["audit.acme.io/keep"]}}'
kubectl apply -f - <<'YAML'
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: keep-finalizer}
spec:
  failurePolicy: Fail
  reinvocationPolicy: Never
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [UPDATE], resources: [configmaps]}]
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration:
      expression: 'Object{metadata: Object.metadata{finalizers: ["audit.acme.io/keep"]}}'
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: keep-finalizer}
spec: {policyName: keep-finalizer}
YAML
puts_back() {
  kubectl -n shop patch configmap orders --type=merge -p '{"metadata":{"finalizers":null}}'
  is audit.acme.io/keep '{.metadata.finalizers[0]}' configmap orders -n shop
}
wait_for 20 "the policy puts the finalizer back" puts_back
kubectl -n shop delete configmap orders --wait=false
late
