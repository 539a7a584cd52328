still_runs
started kubelet
wait_for 60 "the kubelet has created its node again" kubectl get node worker
kubectl wait --for=condition=Ready node/worker --timeout=120s
wait_for 60 "nothing of it runs on the node" ended
