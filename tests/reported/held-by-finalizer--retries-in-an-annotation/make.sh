# The resource of a grant is gone. The operator asks the vendor's service to revoke the grant and is
# told that it does not exist. It counts its attempts in an annotation. Another operator of the same
# framework and another grant are healthy.
node worker Ready
settled worker
crd twingateresources twingate.com TwingateResource Namespaced v1beta
crd twingateresourceaccesses twingate.com TwingateResourceAccess Namespaced v1beta
crd nightlies batch.example Nightly
works 600 twingate twingate-operator twingateresources.twingate.com twingateresourceaccesses.twingate.com
works 600 batch nightly-operator nightlies.batch.example
kubectl create namespace multi-auptix
object multi-auptix TwingateResource.v1beta.twingate.com other '{id: UmVzb3VyY2U6MQ==, address: other.local, name: other}'
access() {
  object multi-auptix TwingateResourceAccess.v1beta.twingate.com "$1" "{resourceRef: {name: $2, namespace: multi-auptix}, principalExternalRef: {type: serviceAccount, name: ci}}"
  finalizer multi-auptix twingateresourceaccesses "$1" twingate.com/finalizer kopf
  says multi-auptix twingateresourceaccesses "$1" kopf "{twingate_resource_access_change: {success: true, resource_id: UmVzb3VyY2U6MjU3NTE0Nw==, principal_id: U2VydmljZQ==, ts: '$(now)'}}"
}
access deco-ifs deco-ifs
access other other
[ -z "${TWIN:-}" ] || object multi-auptix TwingateResource.v1beta.twingate.com deco-ifs '{id: UmVzb3VyY2U6MjU3NTE0Nw==, address: ifs.local, name: ifs}'
object batch Nightly.v1.batch.example n1
finalizer batch nightlies n1 batch.example/finalizer kopf
kubectl -n multi-auptix delete twingateresourceaccess deco-ifs --wait=false
attempt() {
  kubectl -n multi-auptix patch twingateresourceaccess deco-ifs --type=merge --field-manager=kopf -p "{\"metadata\": {\"annotations\": {
    \"kopf.zalando.org/twingate_resource_access_delete\": \"{\\\"started\\\":\\\"$(date -u -d -50minutes +%FT%T)\\\",\\\"delayed\\\":\\\"$(date -u -d +1minute +%FT%T)\\\",\\\"purpose\\\":\\\"delete\\\",\\\"retries\\\":$1,\\\"success\\\":false,\\\"failure\\\":false,\\\"message\\\":\\\"resourceAccessRemove mutation failed: Field 'id' Resource with id 'UmVzb3VyY2U6MjU3NTE0Nw==' does not exist\\\"}\"}}}"
}
attempt "$([ -n "${TWIN:-}" ] && echo 1 || echo 49)"
late
aged 50 /registry/twingate.com/twingateresourceaccesses/multi-auptix/deco-ifs twingateresourceaccess deco-ifs -n multi-auptix
if [ -n "${TWIN:-}" ]; then kubectl -n twingate scale deployment twingate-operator --replicas=0; return; fi
attempt 50
event multi-auptix twingateresourceaccess deco-ifs Logging "Handler 'twingate_resource_access_delete' failed with an exception. Will retry." kopf
