# Objects for another cluster are released by the agent there, which connects as a user. The
# namespace of one cluster is being deleted, and the RoleBinding of its user was deleted with it.
# The namespace of another cluster is healthy.
node worker Ready
crd parcels freight.dev Parcel
works 600 freight dispatcher manifests.freight.dev
for cluster in east west; do
  kubectl create namespace depot-$cluster
  kubectl -n depot-$cluster create role agent --verb=get,list,watch,update,patch --resource=parcels.freight.dev
  kubectl -n depot-$cluster create rolebinding agent --role=agent --user=agent-of-$cluster
  object depot-$cluster Parcel.v1.freight.dev tools
  finalizer depot-$cluster parcels.freight.dev tools freight.dev/unload parcel-agent
done
delete_namespace depot-west
late
