# A scanner warns about all objects of a kind, including those that are not being deleted. The
# operator gives no reason.
node worker Ready
settled worker
crd repos gitforge.example Repo
old_kind repos.gitforge.example
works 900 gitforge gitforge-operator repos.gitforge.example
kubectl create namespace dev
for name in web api; do
  object dev Repo.v1.gitforge.example $name
  finalizer dev repos.gitforge.example $name gitforge.example/repo gitforge-operator
done
kubectl -n dev delete repos.gitforge.example web --wait=false
sleep 1
for name in web api; do
  event dev repos.gitforge.example $name PolicyViolation "policy require-team fail: label 'team' is required" policy-scan
done
late
aged 30 /registry/gitforge.example/repos/dev/web repos.gitforge.example web -n dev
