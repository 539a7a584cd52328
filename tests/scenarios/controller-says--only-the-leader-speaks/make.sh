# Two pods of an operator run. Only the log of the leader says why; the other pod still logs an error of the
# time when it was the leader (controller-runtime, JSON).
crd buckets s3.example Bucket
served_by worker
operator s3 s3-operator 2 buckets.s3.example
two() { test "$(pods_of s3 s3-operator | wc -w)" = 2; }
wait_for 20 "two pods" two
pods_on worker s3 s3-operator
pods_running_since 600 s3 s3-operator
read -r first second <<<"$(pods_of s3 s3-operator)"
leading s3 s3-operator-leader "${second}_4c1e6a0b"
hung 5 shop Bucket.v1.s3.example buckets uploads s3.example/bucket s3-operator '{region: eu-1}'
AGO=470 TRIES=1 logged s3 "$first" manager uploads <<'LOG'
{"level":"error","ts":"@iso","msg":"Reconciler error","controller":"bucket","controllerKind":"Bucket","Bucket":{"name":"uploads","namespace":"shop"},"namespace":"shop","name":"uploads","error":"create bucket: the quota of 100 buckets is reached"}
LOG
logged s3 "$second" manager uploads <<'LOG'
{"level":"error","ts":"@iso","msg":"Reconciler error","controller":"bucket","controllerKind":"Bucket","Bucket":{"name":"uploads","namespace":"shop"},"namespace":"shop","name":"uploads","error":"delete bucket: an object lock forbids that until 2031-01-01"}
LOG
