# Like controller-says--never-launched, of a product that has an annotation by which its controller leaves alone what
# is outside the cluster.
GROUP=fleet.services.k8s.aws FINALIZER=finalizers.fleet.services.k8s.aws/Vessel
twin_of controller-says--never-launched
