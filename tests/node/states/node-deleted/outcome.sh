still_runs
started kubelet
kubectl wait --for=condition=Ready node/worker --timeout=120s
wait_for 60 "nothing of it runs on the node" ended
