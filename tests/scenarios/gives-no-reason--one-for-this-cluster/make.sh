# Like scaled-to-zero--one-for-each-cluster, but the deleted object belongs to the cluster whose
# watcher runs.
ASKED=east
twin_of scaled-to-zero--one-for-each-cluster
