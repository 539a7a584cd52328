# Like controller-says--template-in-use-in-its-database, but the kubelet refuses to give the log.
twin_of controller-says--template-in-use-in-its-database
kubelet_mode forbidden
