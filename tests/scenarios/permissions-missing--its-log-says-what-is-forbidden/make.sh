# An operator may not delete the Secrets that it made. Only its log says so, in the API server's words
# (controller-runtime, JSON).
crd clusters dbaas.example Cluster
logging dbaas dbaas-operator clusters.dbaas.example
hung 5 shop Cluster.v1.dbaas.example clusters orders dbaas.example/purge dbaas-operator '{size: 3}'
logged dbaas "$(pods_of dbaas dbaas-operator)" manager orders <<'LOG'
{"level":"error","ts":"@iso","msg":"Reconciler error","controller":"cluster","controllerGroup":"dbaas.example","controllerKind":"Cluster","Cluster":{"name":"orders","namespace":"shop"},"namespace":"shop","name":"orders","reconcileID":"3b4c5d6e-7f8a-4b9c-8d0e-1f2a3b4c5d6e","error":"delete the login: secrets \"orders-login\" is forbidden: User \"system:serviceaccount:dbaas:dbaas-operator\" cannot delete resource \"secrets\" in API group \"\" in the namespace \"shop\""}
LOG
