# A host was deleted two minutes after it was created. Its operator powers it off first and retries
# until the service that manages the hosts allows it. That service still inspects the host. No error
# is reported, and the log says what the operator waits for.
kubelet
node_with_kubelet worker
settled worker
crd baremetalhosts metal3.io BareMetalHost Namespaced v1alpha1
crd metal3machines infrastructure.cluster.x-k8s.io Metal3Machine Namespaced v1beta1
works 600 baremetal-operator-system baremetal-operator-controller-manager baremetalhosts.metal3.io secrets.
leading baremetal-operator-system baremetal-operator "$(pods_of baremetal-operator-system baremetal-operator-controller-manager)_77f0"
works 600 baremetal-operator-system ironic
works 600 capm3-system capm3-controller-manager metal3machines.infrastructure.cluster.x-k8s.io baremetalhosts.metal3.io
# host NAME STATE MORE-STATUS creates a host and the Secret for it.
host() {
  kubectl create secret generic "$1-bmc" --from-literal=username=admin --from-literal=password=x
  kubectl patch secret "$1-bmc" --type=merge --field-manager=baremetal-operator -p 'metadata: {finalizers: [baremetalhost.metal3.io/secret], labels: {environment.metal3.io: baremetal}}'
  object default BareMetalHost.v1alpha1.metal3.io "$1" "{online: true, bootMACAddress: '00:e8:3f:9c:10:77', bootMode: UEFI, automatedCleaningMode: metadata,
    bmc: {address: 'redfish-virtualmedia://192.0.2.40:8000/redfish/v1/Systems/$1', credentialsName: $1-bmc, disableCertificateVerification: true}}"
  finalizer default baremetalhosts.metal3.io "$1" baremetalhost.metal3.io baremetal-operator
  says default baremetalhosts.metal3.io "$1" baremetal-operator "{operationalStatus: OK, errorType: '', errorMessage: '', errorCount: 0, poweredOn: true, hardwareProfile: '',
    lastUpdated: '$(now)', provisioning: {ID: 5b2f7a6e-9d51-4f0c-8c55-7f0b1c9a2d10, state: '$2', bootMode: UEFI, image: {url: ''}}, triedCredentials: {credentialsVersion: '1', credentials: {name: $1-bmc, namespace: default}}${3:-}}"
}
host cmss-baremetalhost-1 inspecting
host cmss-baremetalhost-2 'powering off before delete'
says default baremetalhosts.metal3.io cmss-baremetalhost-2 baremetal-operator "{operationalStatus: error, errorType: power management error,
  errorMessage: 'Failed to change power state to power off by power off: Redfish exception occurred', errorCount: 2}"
says default baremetalhosts.metal3.io cmss-baremetalhost-2 baremetal-operator "{provisioning: {state: available}}"
event default baremetalhosts.metal3.io cmss-baremetalhost-2 PowerManagementError 'Failed to change power state to power off by power off: Redfish exception occurred' metal3-baremetal-controller
kubectl delete baremetalhosts.metal3.io cmss-baremetalhost-1 --wait=false
says default baremetalhosts.metal3.io cmss-baremetalhost-1 baremetal-operator "{lastUpdated: '$(now)', provisioning: {state: powering off before delete}}"
aged 2 /registry/metal3.io/baremetalhosts/default/cmss-baremetalhost-1 baremetalhosts.metal3.io cmss-baremetalhost-1 -n default
# writes LOGGER MESSAGE MORE writes a line to the operator's log.
writes() {
  log baremetal-operator-system "$(pods_of baremetal-operator-system baremetal-operator-controller-manager)" manager \
    "{\"level\":\"info\",\"ts\":\"$(now)\",\"logger\":\"$1\",\"msg\":\"$2\",$3}"
}
writes controllers.BareMetalHost 'host ready to be powered off' '"baremetalhost":"default/cmss-baremetalhost-1","provisioningState":"powering off before delete"'
writes provisioner.ironic 'ensuring host is powered off (mode: hard)' '"host":"default~cmss-baremetalhost-1"'
writes provisioner.ironic 'host in state that does not allow power change, try again after delay' '"host":"default~cmss-baremetalhost-1","state":"inspect wait","target state":"manageable"'
