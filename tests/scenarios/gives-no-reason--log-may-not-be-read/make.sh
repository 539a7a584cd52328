# Like controller-says--template-in-use-in-its-database, for a user who may not read logs.
kubectl apply -f "$(dirname "${BASH_SOURCE[0]}")/../../../deploy/clusterrole.yaml"
kubectl create clusterrolebinding bob --clusterrole=kubectl-unstick-reader --user=bob
twin_of controller-says--template-in-use-in-its-database
kubectl create clusterrole templates --verb=get,list --resource=opensearchindextemplates.opensearch.opster.io
kubectl label clusterrole templates unstick.dev/aggregate-to-reader=true
