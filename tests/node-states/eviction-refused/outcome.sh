wait_for 10 "nothing of it runs on the node" ended
