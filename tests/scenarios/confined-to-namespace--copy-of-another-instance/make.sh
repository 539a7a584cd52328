# Each broker has a topic controller of its own in its namespace, with rights there. The broker of this namespace was
# removed with its controller. The copy of another broker runs.
node worker Ready
settled worker
crd topics heronmq.dev Topic
crd brokers heronmq.dev Broker
kubectl create namespace team-b
for namespace in team-a ${ALSO:-}; do
  works 600 $namespace topic-controller
  kubectl -n $namespace create role topic-controller --verb=get,list,watch,update,patch --resource=topics.heronmq.dev
  kubectl -n $namespace create rolebinding topic-controller --role=topic-controller --serviceaccount=$namespace:topic-controller
done
object team-a Broker.v1.heronmq.dev main
for namespace in team-a team-b; do
  object $namespace Topic.v1.heronmq.dev orders
  kubectl -n $namespace label topics.heronmq.dev orders heronmq.dev/broker=main
  finalizer $namespace topics.heronmq.dev orders heronmq.dev/topic-controller topic-controller
done
kubectl -n team-b delete topics.heronmq.dev orders --wait=false
aged 30 /registry/heronmq.dev/topics/team-b/orders topics.heronmq.dev orders -n team-b
