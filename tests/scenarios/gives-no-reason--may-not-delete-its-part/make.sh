# An operator deletes the objects that it created before it releases their owner. An update took
# away its permission to delete one of these kinds, and the operator gives no reason.
node worker Ready
settled worker
crd mailboxes post.sparrow.example Mailbox
old_kind mailboxes.post.sparrow.example
works 900 sparrow sparrow-operator mailboxes.post.sparrow.example
kubectl apply -f - <<'YAML'
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: sparrow-operator-parts}
rules:
- {apiGroups: [""], resources: [configmaps], verbs: [get, list, watch, create, update, patch, delete]}
- {apiGroups: [""], resources: [secrets], verbs: [get, list, watch, create, update, patch]}
YAML
kubectl create clusterrolebinding sparrow-operator-parts --clusterrole=sparrow-operator-parts --serviceaccount=sparrow:sparrow-operator
kubectl create namespace mail
for name in info sales; do
  object mail Mailbox.v1.post.sparrow.example $name '{domain: example.org}'
  finalizer mail mailboxes.post.sparrow.example $name post.sparrow.example/parts sparrow-operator
  kubectl apply --field-manager=sparrow-operator -f - <<YAML
apiVersion: v1
kind: Secret
metadata: {name: $name-imap, namespace: mail, ownerReferences: [$(owner mailboxes.post.sparrow.example $name mail)]}
YAML
done
kubectl -n mail delete mailboxes.post.sparrow.example info --wait=false
late
aged 30 /registry/post.sparrow.example/mailboxes/mail/info mailboxes.post.sparrow.example info -n mail
