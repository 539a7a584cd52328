# write me: the state in one sentence, and what looks like the cause but is not. The functions are
# in tests/scenarios/lib.sh.
kubectl create namespace shop
echo 'write me: bring the state about' >&2
exit 1
delete_namespace shop
