kubectl -n shop delete pod db-0 --force --grace-period=0
