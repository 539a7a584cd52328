# A Job was deleted in the foreground with the pod that it tracks.
kubectl create namespace shop
kubectl -n shop apply -f - <<YAML
apiVersion: batch/v1
kind: Job
metadata: {name: report}
spec:
  template:
    spec:
      nodeName: worker
      restartPolicy: Never
      automountServiceAccountToken: false
      terminationGracePeriodSeconds: 30
      containers: [{name: c, $(container obey 15)}]
YAML
one() { test -n "$(kubectl -n shop get pods -o name)"; }
wait_for 20 "its pod is there" one
kubectl -n shop wait --for=condition=Ready pod --all --timeout=60s
kubectl -n shop delete job report --cascade=foreground --wait=false
late
