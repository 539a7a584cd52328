# An operator is at 0 replicas because a KEDA ScaledObject keeps it there.
node worker Ready
settled worker
crd scaledobjects keda.sh ScaledObject Namespaced v1alpha1
crd builds foundry.example Build
operator foundry foundry-operator 0 builds.foundry.example
object foundry ScaledObject.v1alpha1.keda.sh other '{scaleTargetRef: {name: web}}'
object foundry ScaledObject.v1alpha1.keda.sh nights '{scaleTargetRef: {name: foundry-operator}, minReplicaCount: 0}'
kubectl create namespace ci
object ci Build.v1.foundry.example base '{from: debian}'
finalizer ci builds.foundry.example base foundry.example/layers foundry-operator
kubectl -n ci delete builds.foundry.example base --wait=false
late
