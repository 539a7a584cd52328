# An operator watches the namespaces that have a label, and the object's namespace has lost it.
node worker Ready
crd looms weave.dev Loom
told mill weaver 1 'args: [--watch-namespace-selector=weave.dev/enabled=yes]' looms.weave.dev
pods_ready mill weaver
works 600 yarn spinner configmaps.
for namespace in team-a team-b; do
  kubectl create namespace $namespace
  kubectl label namespace $namespace weave.dev/enabled=yes
  object $namespace Loom.v1.weave.dev linen
  finalizer $namespace looms.weave.dev linen weave.dev/unwind weaver
done
kubectl label namespace "${OTHER:-team-a}" weave.dev/enabled-
kubectl -n team-a delete looms.weave.dev linen --wait=false
if [ -n "${OTHER:-}" ]; then
  says team-a looms.weave.dev linen weaver \
    "{conditions: [$(condition Ready False UnwindFailed 'Secret "bobbin-pin" not found')]}"
fi
late
