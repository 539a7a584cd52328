# A condition with status True says that a template is in use. Machines name the template in the
# field `template`.
node worker Ready
crd templates vmfarm.dev Template
crd machines vmfarm.dev Machine
operator farm vmfarm 1 templates.vmfarm.dev machines.vmfarm.dev
pods_ready farm vmfarm
kubectl create namespace images
kubectl create namespace lab
object images Template.v1.vmfarm.dev debian '{image: debian}'
finalizer images templates.vmfarm.dev debian vmfarm.dev/template vmfarm
object lab Machine.v1.vmfarm.dev vm-a '{template: {namespace: images, name: debian}}'
object lab Machine.v1.vmfarm.dev vm-b '{template: {namespace: images, name: other}}'
kubectl -n images delete templates.vmfarm.dev debian --wait=false
says images templates.vmfarm.dev debian vmfarm "{conditions: [$(condition InUse True MachinesExist '1 machine was made from it')]}"
late
