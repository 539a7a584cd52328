# An operator cannot reach a database. Only its log says so, with the login of the database, which nobody
# may see.
crd schemas dbops.example Schema
logging dbops dbops-operator schemas.dbops.example
hung 5 shop Schema.v1.dbops.example schemas billing dbops.example/drop dbops-operator '{database: orders}'
logged dbops "$(pods_of dbops dbops-operator)" manager billing <<'LOG'
{"level":"error","ts":"@iso","msg":"Reconciler error","controller":"schema","controllerKind":"Schema","Schema":{"name":"billing","namespace":"shop"},"namespace":"shop","name":"billing","error":"drop schema: cannot connect to postgres://admin:Tr0ub4dor%263@orders.db.example:5432/billing: password authentication failed for user admin, password=Tr0ub4dor&3"}
LOG
