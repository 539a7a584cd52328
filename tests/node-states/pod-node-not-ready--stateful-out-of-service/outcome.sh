made_anew() { test -n "$(kubectl -n shop get pod db-0 -o jsonpath='{.metadata.uid}' | grep -v "$(<"$PLANE/uid")")"; }
wait_for 30 "the StatefulSet has made another db-0" made_anew
is Bound '{.status.phase}' pvc data-db-0 -n shop
