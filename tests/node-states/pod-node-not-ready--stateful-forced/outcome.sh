still_runs
made_anew() { test -n "$(kubectl -n shop get pod db-0 -o jsonpath='{.metadata.uid}' | grep -v "$(<"$PLANE/uid")")"; }
wait_for 30 "the StatefulSet has made another db-0" made_anew
