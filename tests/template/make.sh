# write me: the state, in one sentence, and what looks guilty in it and is not.
# tests/scenarios/lib.sh has the words.
kubectl create namespace shop
echo 'write me: bring the state about' >&2
exit 1
delete_namespace shop
