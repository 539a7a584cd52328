# A tenant's Kafka was deleted with its namespace, like the topic operator. The cluster operator,
# which is in another namespace and is bound to the same role, is healthy.
node worker Ready
crd kafkas kafka.strimzi.io Kafka Namespaced v1beta2
crd kafkatopics kafka.strimzi.io KafkaTopic Namespaced v1beta2
operator strimzi strimzi-cluster-operator 1 kafkas.kafka.strimzi.io
pods_ready strimzi strimzi-cluster-operator
leading strimzi strimzi-cluster-operator strimzi-cluster-operator-6f8_1
rights strimzi-entity-operator kafkatopics.kafka.strimzi.io
kubectl create clusterrolebinding strimzi-cluster-operator-entity-operator-delegation \
  --clusterrole=strimzi-entity-operator --serviceaccount=strimzi:strimzi-cluster-operator
operator tenant my-cluster-entity-operator 1
kubectl -n tenant create rolebinding my-cluster-entity-topic-operator-role --clusterrole=strimzi-entity-operator \
  --serviceaccount=tenant:my-cluster-entity-operator
object tenant Kafka.v1beta2.kafka.strimzi.io my-cluster
for topic in orders payments; do
  object tenant KafkaTopic.v1beta2.kafka.strimzi.io $topic
  finalizer tenant kafkatopics $topic strimzi.io/topic-operator fabric8-kubernetes-client
done
delete_namespace tenant
