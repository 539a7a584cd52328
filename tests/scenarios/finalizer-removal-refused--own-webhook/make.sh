# An operator's own webhook refuses every update, including the one by which the operator removes
# its finalizer. Its defaulting webhook and another product's webhook for the same kind allow
# everything.
backend ok
node worker Ready
settled worker
crd podcliquesets grove.io PodCliqueSet Namespaced v1alpha1
works 600 grove-system grove-operator podcliquesets.grove.io
[ -n "${TWIN:-}" ] || leading grove-system grove-operator-leader-election grove-operator-6c_1
works 600 kai-scheduler kai-operator podcliquesets.grove.io
kubectl create namespace inference
for name in disagg simple; do
  object inference PodCliqueSet.v1alpha1.grove.io $name '{replicas: 1, template: {cliques: [{name: prefill}]}}'
  finalizer inference podcliquesets $name grove.io/podcliqueset.grove.io grove-operator
done
live_webhook Validating podcliqueset-validating-webhook "$([ -n "${TWIN:-}" ] && echo ok || echo deny)" UPDATE grove.io podcliquesets
live_webhook Mutating podcliqueset-defaulting-webhook ok '"*"' grove.io podcliquesets
live_webhook Validating kai-audit ok '"*"' grove.io '"*"'
refused() { ! kubectl -n inference annotate podcliqueset simple a=b --dry-run=server; }
if [ -n "${TWIN:-}" ]; then
  kubectl -n grove-system scale deployment grove-operator --replicas=0
else
  wait_for 20 "the webhook is heeded" refused
fi
kubectl -n inference delete podcliqueset disagg --wait=false
late
aged 65 /registry/grove.io/podcliquesets/inference/disagg podcliqueset disagg -n inference
