kubectl wait --for=condition=Ready node/worker --timeout=60s
wait_for 20 "nothing of it runs on the node" ended
