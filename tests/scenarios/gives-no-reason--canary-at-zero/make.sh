# An operator leads and gives no reason. Its canary, which uses the same account, is at 0 replicas.
node worker Ready
crd safes strongroom.dev Safe
leads strong strongroom strongroom.dev 1 safes.strongroom.dev
deployment strong strongroom-canary 0
kubectl -n strong patch deployment strongroom-canary --type=merge -p 'spec: {template: {spec: {serviceAccountName: strongroom}}}'
kubectl create namespace fin
object fin Safe.v1.strongroom.dev main '{size: 3}'
finalizer fin safes.strongroom.dev main strongroom.dev/empty manager
kubectl -n fin delete safes.strongroom.dev main --wait=false
late
aged 80 /registry/strongroom.dev/safes/fin/main safes.strongroom.dev main -n fin
