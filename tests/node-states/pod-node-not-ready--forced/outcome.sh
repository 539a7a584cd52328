still_runs
started kubelet
wait_for 60 "nothing of it runs on the node" ended
