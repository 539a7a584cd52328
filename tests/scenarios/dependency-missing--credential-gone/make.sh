# The credential that an operator needs for the cleanup was deleted with the namespace.
node worker Ready
crd dnsrecords kuadrant.io DNSRecord Namespaced v1alpha1
operator dns-operator-system dns-operator-controller-manager 1 dnsrecords.kuadrant.io
pods_ready dns-operator-system dns-operator-controller-manager
leading dns-operator-system a3f98d6c.kuadrant.io dns-operator-controller-manager-6b8_1
kubectl create namespace shop
kubectl -n shop create secret generic aws-credentials --type=kuadrant.io/aws --from-literal=key=not-a-real-one
object shop DNSRecord.v1alpha1.kuadrant.io web '{rootHost: web.example.com, providerRef: {name: aws-credentials}}'
finalizer shop dnsrecords web kuadrant.io/dns-record manager
says shop dnsrecords web manager "{conditions: [$(condition Ready True ProviderSuccess)]}"
delete_namespace shop
says shop dnsrecords web manager "{conditions: [
  $(condition Ready False DNSProviderError 'The dns provider could not be loaded: Secret "aws-credentials" not found')]}"
