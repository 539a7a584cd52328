# An operator of databases cannot delete a volume. Only its log says so (logrus, with the object as
# cluster-name).
crd postgresqls acid.zalan.do postgresql
logging postgres postgres-operator postgresqls.acid.zalan.do
hung 5 shop postgresql.v1.acid.zalan.do postgresqls orders postgres-operator.acid.zalan.do postgres-operator '{teamId: shop}'
logged postgres "$(pods_of postgres postgres-operator)" manager orders <<'LOG'
time="@iso" level=info msg="DELETE event has been queued" cluster-name=shop/orders pkg=controller worker=2
time="@iso" level=error msg="could not delete statefulset: the volume vol-0a1b2c3d is attached to a node that does not answer" cluster-name=shop/orders pkg=cluster worker=2
LOG
