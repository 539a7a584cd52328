# Somebody set a finalizer on a namespace with kubectl patch, so that it stays.
kubectl create namespace archive
kubectl patch namespace archive --type=merge -p 'metadata: {finalizers: [larkspur.example/ask-us-first]}'
kubectl -n archive create configmap phones --from-literal=a=b
delete_namespace archive
