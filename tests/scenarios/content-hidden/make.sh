# A finalizer holds a Secret, and the user may list everything but Secrets.
groups=$(kubectl api-versions | grep / | cut -d/ -f1 | sort -u | paste -sd,)
kinds=$(kubectl api-resources --api-group= -o name | grep -v secrets | paste -sd,)
kubectl apply -f - <<YAML
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: looker}
rules:
- {apiGroups: [$groups], resources: ["*"], verbs: [get, list]}
- {apiGroups: [""], resources: [$kinds], verbs: [get, list]}
YAML
kubectl create clusterrolebinding looker --clusterrole=looker --user=bob
kubectl create namespace shop
kubectl create namespace other
kubectl -n shop create secret generic keys
kubectl -n shop patch secret keys --type=merge -p '{"metadata":{"finalizers":["acme.io/vault"]}}'
kubectl -n other create configmap settings
kubectl -n other patch configmap settings --type=merge -p '{"metadata":{"finalizers":["acme.io/other"]}}'
delete_namespace shop
