# A broker does not delete topics. Only the log of Strimzi's operator says so (log4j, with its own way to
# name an object).
crd kafkatopics kafka.strimzi.io KafkaTopic
logging kafka shop-entity-operator kafkatopics.kafka.strimzi.io
hung 60 kafka KafkaTopic.v1.kafka.strimzi.io kafkatopics logs-topic strimzi.io/topic-operator strimzi-topic-operator '{partitions: 3}'
logged kafka "$(pods_of kafka shop-entity-operator)" manager logs-topic <<'LOG'
@log4j WARN  BatchingTopicController:512 - Reconciliation #1417(timer) KafkaTopic(kafka/logs-topic): Unable to delete topic logs-topic
@log4j ERROR BatchingTopicController:749 - Reconciliation #1417(timer) KafkaTopic(kafka/logs-topic): Error reconciling topic
java.util.concurrent.ExecutionException: org.apache.kafka.common.errors.TopicDeletionDisabledException: Topic deletion is disabled.
	at java.base/java.util.concurrent.CompletableFuture.reportGet(CompletableFuture.java:396)
	at java.base/java.util.concurrent.CompletableFuture.get(CompletableFuture.java:2073)
Caused by: org.apache.kafka.common.errors.TopicDeletionDisabledException: Topic deletion is disabled.
LOG
