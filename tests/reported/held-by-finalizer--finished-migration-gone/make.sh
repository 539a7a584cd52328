# An operation that moved a virtual machine to another node finished a day ago, and the migration
# that it created is gone. The operation was deleted, and its controller removes its finalizer only
# while that migration exists. Its log says only that it has seen the deletion.
kubelet
node_with_kubelet worker
node virt-1 Ready
node virt-2 Ready
settled worker virt-1 virt-2
crd virtualmachines virtualization.deckhouse.io VirtualMachine Namespaced v1alpha2
crd virtualmachineoperations virtualization.deckhouse.io VirtualMachineOperation Namespaced v1alpha2
for of in Machine:machines MachineInstance:machineinstances MachineInstanceMigration:machineinstancemigrations; do
  crd "internalvirtualizationvirtual${of#*:}" internal.virtualization.deckhouse.io "InternalVirtualizationVirtual${of%:*}"
done
works 3000 d8-virtualization virtualization-controller virtualmachines.virtualization.deckhouse.io virtualmachineoperations.virtualization.deckhouse.io \
  internalvirtualizationvirtualmachineinstancemigrations.internal.virtualization.deckhouse.io internalvirtualizationvirtualmachines.internal.virtualization.deckhouse.io
leading d8-virtualization d8-virt-operator-leader-election-helper "$(pods_of d8-virtualization virtualization-controller)_2f6b1a90"
virt=1
[ -z "${TWIN:-}" ] || virt=0
operator d8-virtualization virt-controller $virt internalvirtualizationvirtualmachines.internal.virtualization.deckhouse.io \
  internalvirtualizationvirtualmachineinstances.internal.virtualization.deckhouse.io internalvirtualizationvirtualmachineinstancemigrations.internal.virtualization.deckhouse.io pods.
if [ $virt = 1 ]; then
  pods_on worker d8-virtualization virt-controller
  pods_running_since 3000 d8-virtualization virt-controller
fi
works 3000 d8-virtualization cdi-operator
kubectl create namespace team-a
# machine NAME NODE creates a running virtual machine.
machine() {
  kubectl -n team-a apply --field-manager=virtualization-controller -f - <<YAML
apiVersion: virtualization.deckhouse.io/v1alpha2
kind: VirtualMachine
metadata: {name: $1, finalizers: [virtualization.deckhouse.io/vm-cleanup]}
spec: {runPolicy: AlwaysOn, virtualMachineClassName: generic}
status: {phase: Running, nodeName: $2, conditions: [$(condition Running True Running)]}
---
apiVersion: internal.virtualization.deckhouse.io/v1
kind: InternalVirtualizationVirtualMachineInstance
metadata: {name: $1, finalizers: [foregroundDeleteVirtualMachine]}
spec: {}
status: {phase: Running, nodeName: $2}
YAML
}
machine db virt-2
machine web virt-1
# operation NAME MACHINE creates an operation with the finalizer of its controller.
operation() {
  object team-a VirtualMachineOperation.v1alpha2.virtualization.deckhouse.io "$1" "{type: Migrate, virtualMachineName: $2}"
  finalizer team-a virtualmachineoperations.virtualization.deckhouse.io "$1" virtualization.deckhouse.io/vmop-cleanup virtualization-controller
}
# migration OPERATION MACHINE PHASE FINALIZERS creates the migration of an operation.
migration() {
  kubectl -n team-a apply --field-manager=virtualization-controller -f - <<YAML
apiVersion: internal.virtualization.deckhouse.io/v1
kind: InternalVirtualizationVirtualMachineInstanceMigration
metadata:
  name: vmop-$1
  ownerReferences: [$(owner virtualmachineoperations.virtualization.deckhouse.io "$1" team-a)]
spec: {vmiName: $2}
status: {phase: $3}
YAML
  kubectl -n team-a patch internalvirtualizationvirtualmachineinstancemigrations "vmop-$1" --type=merge --field-manager=virt-controller -p "metadata: {finalizers: [$4]}"
}
operation move-db-7k2p db
operation move-web-q9d4 web
migration move-web-q9d4 web Running kubevirt.io/migrationJobFinalize
says team-a virtualmachineoperations.virtualization.deckhouse.io move-web-q9d4 virtualization-controller "{phase: InProgress, observedGeneration: 1,
  conditions: [$(condition Completed False MigrationRunning 'Wait until operation is completed'), $(condition SignalSent True SignalSentSuccess)]}"
[ -z "${TWIN:-}" ] || migration move-db-7k2p db Succeeded kubevirt.io/migrationJobFinalize
day=$(date -u -d '-26 hours' +%FT%TZ)
says team-a virtualmachineoperations.virtualization.deckhouse.io move-db-7k2p virtualization-controller "{phase: Completed, observedGeneration: 1, conditions: [
  {type: Completed, status: 'True', reason: OperationCompleted, message: '', observedGeneration: 1, lastTransitionTime: '$day'},
  {type: SignalSent, status: 'True', reason: SignalSentSuccess, message: '', observedGeneration: 1, lastTransitionTime: '$day'}]}"
kubectl -n team-a delete virtualmachineoperations.virtualization.deckhouse.io move-db-7k2p --wait=false
[ -z "${TWIN:-}" ] || kubectl -n team-a delete internalvirtualizationvirtualmachineinstancemigrations vmop-move-db-7k2p --wait=false
says team-a virtualmachineoperations.virtualization.deckhouse.io move-db-7k2p virtualization-controller '{phase: Terminating, observedGeneration: 2}'
late
aged 95 /registry/virtualization.deckhouse.io/virtualmachineoperations/team-a/move-db-7k2p virtualmachineoperations.virtualization.deckhouse.io move-db-7k2p -n team-a
[ -z "${TWIN:-}" ] || aged 95 /registry/internal.virtualization.deckhouse.io/internalvirtualizationvirtualmachineinstancemigrations/team-a/vmop-move-db-7k2p \
  internalvirtualizationvirtualmachineinstancemigrations vmop-move-db-7k2p -n team-a
# writes MESSAGE OPERATION writes a line to the controller's log.
writes() {
  log d8-virtualization "$(pods_of d8-virtualization virtualization-controller)" manager \
    "{\"level\":\"info\",\"msg\":\"$1\",\"controller\":\"vmop-migration-controller\",\"handler\":\"DeletionHandler\",\"namespace\":\"team-a\",\"name\":\"$2\",\"time\":\"$(now)\"}"
}
writes 'Deletion observed: cleanup VirtualMachineOperation' move-db-7k2p
writes 'Start reconcile VMOP' move-web-q9d4
writes 'Deletion observed: cleanup VirtualMachineOperation' move-db-7k2p
