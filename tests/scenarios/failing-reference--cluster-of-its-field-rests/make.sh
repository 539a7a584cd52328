# A topic refers to its broker cluster, which is scaled to 0. The operator only reports that it times out.
REFERS=", clusterRef: {name: main}"
twin_of failing-reference--its-cluster-rests
says shop topics.heronmq.dev orders heronmq "{conditions: [$(condition Ready False DeleteFailed 'deleting the topic: request timed out')]}"
