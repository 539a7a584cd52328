# Argo CD's namespace is deleted with its Applications. Its controller was deleted too, and
# finishing the deletion would delete everything that the Applications manage.
crd applications argoproj.io Application
kubectl label crd applications.argoproj.io app.kubernetes.io/part-of=argocd
service_account argocd argocd-application-controller
kubectl create clusterrole argocd-application-controller --verb='*' --resource='*.*'
kubectl create clusterrolebinding argocd-application-controller --clusterrole=argocd-application-controller \
  --serviceaccount=argocd:argocd-application-controller
kubectl apply -f - <<'YAML'
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: argocd-application-controller, namespace: argocd}
spec:
  replicas: 1
  selector: {matchLabels: {app.kubernetes.io/name: argocd-application-controller}}
  template:
    metadata: {labels: {app.kubernetes.io/name: argocd-application-controller}}
    spec:
      serviceAccountName: argocd-application-controller
      automountServiceAccountToken: false
      containers: [{name: argocd-application-controller, image: example.invalid/argocd}]
YAML
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
