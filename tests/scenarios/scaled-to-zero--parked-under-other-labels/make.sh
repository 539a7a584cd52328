# Somebody has parked an operator: its Deployment was created again at 0, with labels that do not name
# the product. Another Deployment at 0 has such labels, too.
node worker Ready
settled worker
crd kegs taphouse.dev Keg
service_account tap taphouse-operator
rights tap-taphouse kegs.taphouse.dev
kubectl create clusterrolebinding tap-taphouse --clusterrole=tap-taphouse --serviceaccount=tap:taphouse-operator
service_account cellar cellarage
# parked NAMESPACE NAME ACCOUNT creates such a Deployment.
parked() {
  kubectl apply -f - <<YAML
apiVersion: apps/v1
kind: Deployment
metadata: {name: $2, namespace: $1, labels: {parked: "true", team: platform}}
spec:
  replicas: 0
  selector: {matchLabels: {parked: $2}}
  template:
    metadata: {labels: {parked: $2}}
    spec:
      serviceAccountName: $3
      automountServiceAccountToken: false
      containers: [{name: manager, image: "example.invalid/$2"}]
YAML
}
parked cellar parked-cellarage cellarage
[ -n "${TWIN:-}" ] || parked tap parked-operator taphouse-operator
hung 60 shop Keg.v1.taphouse.dev kegs stout taphouse.dev/keg manager
