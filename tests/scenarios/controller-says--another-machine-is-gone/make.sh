# A controller says that a machine is gone from its cloud. It looks for the one that the spec names since somebody has
# changed that: the status names another one, which may still run.
SPEC='{adopt: v-deadbeef}' PHASE=Running
STATUS="{machine: {instanceId: ${ID:-v-0a81c7}}, conditions: [
  $(condition Terminated False TerminateFailed 'deleting v-deadbeef: instance v-deadbeef not found')]}"
twin_of controller-says--never-launched
