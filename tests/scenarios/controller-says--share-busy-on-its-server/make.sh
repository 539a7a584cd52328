# A storage server does not delete a dataset. Only the log of its driver says so (Node's winston, JSON within
# the message).
crd zvols freenas.example Zvol
logging storage freenas-operator zvols.freenas.example
hung 5 shop Zvol.v1.freenas.example zvols data-7c1f freenas.example/dataset freenas-operator '{pool: tank}'
logged storage "$(pods_of storage freenas-operator)" manager data-7c1f <<'LOG'
{"host":"freenas-operator","level":"error","message":"handler error - Zvol shop/data-7c1f: Error: {\"message\":\"[EFAULT] Failed to delete dataset: cannot destroy 'tank/data-7c1f': dataset is busy\",\"errno\":14}","service":"freenas-operator","timestamp":"@iso"}
LOG
