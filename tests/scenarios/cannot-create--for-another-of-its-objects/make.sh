# An operator makes a role in a namespace for an object of its own elsewhere, before it comes to what it releases
# there. Since the namespace is being deleted, it fails at the role, each time; only its log says so. REFUSED is
# another namespace.
crd installs acme.io Install Cluster
logging ops acme-operator serviceaccounts. installs.acme.io
kubectl create namespace mesh
kubectl -n mesh create serviceaccount agent
kubectl -n mesh patch serviceaccount agent --type=merge --field-manager=acme-operator -p '{"metadata":{"finalizers":["acme.io/agent-protection"]}}'
delete_namespace mesh
aged 40 /registry/serviceaccounts/mesh/agent serviceaccount agent -n mesh
logged ops "$(pods_of ops acme-operator)" manager agent <<LOG
{"level":"error","ts":"@iso","msg":"Reconciler error","controller":"install","controllerKind":"Install","Install":{"name":"default"},"namespace":"","name":"default","error":"create Role agent-secrets: roles.rbac.authorization.k8s.io \\"agent-secrets\\" is forbidden: unable to create new content in namespace ${REFUSED:-mesh} because it is being terminated"}
LOG
