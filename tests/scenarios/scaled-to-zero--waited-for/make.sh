# An operator at zero holds a database. What created the namespace is being removed too and waits
# for the namespace.
crd databases acme.io Database
crd tenants acme.io Tenant Cluster
crd applications argoproj.io Application Namespaced v1alpha1
crd kustomizations kustomize.toolkit.fluxcd.io Kustomization
operator ops acme-operator 0 databases.acme.io
kubectl create namespace argocd
kubectl create namespace flux-system
kubectl apply -f - <<'YAML'
apiVersion: acme.io/v1
kind: Tenant
metadata: {name: acme}
YAML
kubectl apply --field-manager=Terraform -f - <<YAML
apiVersion: v1
kind: Namespace
metadata:
  name: shop
  labels: {kustomize.toolkit.fluxcd.io/name: tenants, kustomize.toolkit.fluxcd.io/namespace: flux-system}
  annotations: {meta.helm.sh/release-name: shop, meta.helm.sh/release-namespace: ops}
  ownerReferences: [$(owner tenants.acme.io acme)]
YAML
application() {
  kubectl -n argocd apply -f - <<YAML
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: $1, finalizers: [resources-finalizer.argocd.argoproj.io]}
spec: {destination: {namespace: $2}}
YAML
}
application shop shop
application lives shop
application other elsewhere
kubectl -n flux-system apply -f - <<'YAML'
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: tenants, finalizers: [finalizers.fluxcd.io]}
YAML
release() {
  kubectl -n ops create secret generic "sh.helm.release.v1.$1.v1" --type=helm.sh/release.v1
  kubectl -n ops label secret "sh.helm.release.v1.$1.v1" owner=helm "name=$1" "status=$2"
}
release shop uninstalling
release other uninstalling
object shop Database.v1.acme.io orders
finalizer shop databases orders acme.io/backup acme-operator
kubectl -n argocd delete applications.argoproj.io shop other --wait=false
kubectl -n flux-system delete kustomizations.kustomize.toolkit.fluxcd.io tenants --wait=false
foreground tenants.acme.io acme
delete_namespace shop
