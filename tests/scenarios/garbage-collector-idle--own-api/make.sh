# An APIService is deleted in the foreground while its API is dead and the garbage collector does
# not run. Only what that API serves cannot be listed.
api_service v1beta1 metrics.k8s.io kube-system metrics-server
available False v1beta1.metrics.k8s.io
seen
manager KILL
foreground apiservice v1beta1.metrics.k8s.io
late
