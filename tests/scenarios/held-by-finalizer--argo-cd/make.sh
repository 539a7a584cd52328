# Argo CD's namespace deleted with its Applications inside: the controller went
# with it, and finishing would delete everything that they manage.
crd applications argoproj.io Application
kubectl create namespace argocd
for app in shop blog wiki; do
  kubectl -n argocd apply --field-manager=argocd-server -f - <<YAML
apiVersion: argoproj.io/v1
kind: Application
metadata: {name: $app, finalizers: [resources-finalizer.argocd.argoproj.io]}
spec: {destination: {namespace: $app}}
YAML
done
kubectl delete namespace argocd --wait=false
looked argocd
sleep 6
