# An operator takes its entry off a copy that is out of date, which the API server refuses each time.
# Only its log says so, again and again since the deletion. The condition tells of a success.
crd dscinitializations dscinitialization.opendatahub.io DSCInitialization Cluster
logging opendatahub-operator-system opendatahub-operator-controller-manager dscinitializations.dscinitialization.opendatahub.io
hung 5 "" DSCInitialization.v1.dscinitialization.opendatahub.io dscinitializations default-dsci dscinitialization.opendatahub.io/finalizer manager \
  '{applicationsNamespace: opendatahub}'
says "" dscinitializations default-dsci manager "{phase: Ready, conditions: [$(condition ReconcileComplete True ReconcileCompleted 'Reconcile completed successfully')]}"
TRIES=${TRIES:-4} logged opendatahub-operator-system "$(pods_of opendatahub-operator-system opendatahub-operator-controller-manager)" manager default-mesh <<'LOG'
{"level":"error","ts":"@iso","logger":"controllers.DSCInitialization","msg":"failed to remove finalizer from DSCInitialization","controller":"dscinitialization","controllerKind":"DSCInitialization","DSCInitialization":{"name":"default-dsci"},"namespace":"","name":"default-dsci","error":"Operation cannot be fulfilled on dscinitializations.dscinitialization.opendatahub.io \"default-dsci\": the object has been modified; please apply your changes to the latest version and try again"}
LOG
