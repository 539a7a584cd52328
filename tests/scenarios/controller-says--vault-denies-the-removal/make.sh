# A vault denies the removal of a secret. Only the log of External Secrets says so: the answer has several
# lines and ends with a list.
crd pushsecrets external-secrets.io PushSecret Namespaced v1alpha1
logging external-secrets external-secrets pushsecrets.external-secrets.io
hung 5 shop PushSecret.v1alpha1.external-secrets.io pushsecrets db-login pushsecret.externalsecrets.io/finalizer external-secrets '{deletionPolicy: Delete}'
logged external-secrets "$(pods_of external-secrets external-secrets)" manager db-login <<'LOG'
{"level":"error","ts":1796034000.117,"msg":"Reconciler error","controller":"pushsecret","controllerGroup":"external-secrets.io","controllerKind":"PushSecret","PushSecret":{"name":"db-login","namespace":"shop"},"namespace":"shop","name":"db-login","reconcileID":"8c9d0e1f-2a3b-4c4d-8e5f-6a7b8c9d0e1f","error":"could not delete secret data from provider: cannot delete secret: Error making API request.\n\nURL: DELETE https://vault.example.com/v1/kv/metadata/shop/db-login\nCode: 403. Errors:\n\n* 1 error occurred:\n\t* permission denied\n\n"}
LOG
