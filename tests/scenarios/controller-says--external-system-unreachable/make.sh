# A running operator reports that an external system does not answer.
node worker Ready
crd kafkatopics kafka.strimzi.io KafkaTopic Namespaced v1beta2
operator kafka shop-entity-operator 1 kafkatopics.kafka.strimzi.io
pods_ready kafka shop-entity-operator
object kafka KafkaTopic.v1beta2.kafka.strimzi.io orders '{partitions: 3, replicas: 3}'
finalizer kafka kafkatopics orders strimzi.io/topic-operator fabric8-kubernetes-client
kubectl -n kafka delete kafkatopic orders --wait=false
timeout='org.apache.kafka.common.errors.TimeoutException: Call(callName=deleteTopics, tries=1) timed out'
says kafka kafkatopic orders fabric8-kubernetes-client \
  "{observedGeneration: 3, conditions: [$(condition Ready False KafkaError "$timeout")]}"
late
