# kedacore/keda#7950: in the teardown of a namespace the operator's removal of its finalizer meets conflicts with its own
# status writer. Its log has another error, too: the target is gone, which is a coincidence.
crd scaledobjects keda.sh ScaledObject Namespaced v1alpha1
crd triggerauthentications keda.sh TriggerAuthentication Namespaced v1alpha1
logging keda keda-operator scaledobjects.keda.sh triggerauthentications.keda.sh
namespace review-2709
furnished review-2709
object review-2709 ScaledObject.v1alpha1.keda.sh api '{scaleTargetRef: {name: api}, minReplicaCount: 1, triggers: [{type: prometheus, metadata: {query: rate}}]}'
finalizer review-2709 scaledobjects api finalizer.keda.sh keda
says review-2709 scaledobjects api keda "{scaleTargetKind: apps/v1.Deployment, conditions: [
  $(condition Ready True ScaledObjectReady 'ScaledObject is defined correctly and is ready for scaling'), $(condition Active False ScalerNotActive 'Scaling is not performed because triggers are not active')]}"
kubectl delete namespace review-2709 --wait=false
looked review-2709
late
aged 25 /registry/keda.sh/scaledobjects/review-2709/api scaledobjects api -n review-2709
aged 25 /registry/namespaces/review-2709 namespace review-2709
says review-2709 scaledobjects api keda "{conditions: [
  $(condition Ready True ScaledObjectReady 'ScaledObject is defined correctly and is ready for scaling'), $(condition Active False ScalerNotActive 'Scaling is not performed because triggers are not active')]}"
pod=$(pods_of keda keda-operator)
NOISE=300 TRIES=4 AGO=430 logged keda "$pod" manager api <<'LOG'
@iso	ERROR	scale_handler	target deployment doesn't exist	{"type": "ScaledObject", "namespace": "review-2709", "name": "api", "error": "deployments.apps \"api\" not found"}
LOG
NOISE=300 TRIES=2 AGO=240 logged keda "$pod" manager api <<'LOG'
@iso	ERROR	Failed to update ScaledObject after removing a finalizer	{"controller": "scaledobject", "controllerGroup": "keda.sh", "controllerKind": "ScaledObject", "ScaledObject": {"name":"api","namespace":"review-2709"}, "namespace": "review-2709", "name": "api", "reconcileID": "bad5f581-ea67-4309-a93d-a391d220c5b7", "finalizer": "finalizer.keda.sh", "error": "Operation cannot be fulfilled on scaledobjects.keda.sh \"api\": the object has been modified; please apply your changes to the latest version and try again"}
@iso	ERROR	Reconciler error	{"controller": "scaledobject", "controllerGroup": "keda.sh", "controllerKind": "ScaledObject", "ScaledObject": {"name":"api","namespace":"review-2709"}, "namespace": "review-2709", "name": "api", "reconcileID": "bad5f581-ea67-4309-a93d-a391d220c5b7", "error": "Operation cannot be fulfilled on scaledobjects.keda.sh \"api\": the object has been modified; please apply your changes to the latest version and try again"}
LOG
