# A controller reports only that it waits. The machine that the object refers to reports that it was
# stopped. The machine of another object runs.
node worker Ready
settled worker
crd hosts fleet.grebe.example Host
crd boxes infra.grebe.example Box
old_kind hosts.fleet.grebe.example
old_kind boxes.infra.grebe.example
works 900 grebe grebe-manager hosts.fleet.grebe.example boxes.infra.grebe.example
kubectl create namespace shop
host() {
  object shop Box.v1.infra.grebe.example "$1"
  says shop boxes.infra.grebe.example "$1" grebe-manager "{conditions: [{type: Ready, status: '$2', reason: $3, message: ''}]}"
  object shop Host.v1.fleet.grebe.example "$1" "{boxRef: {apiVersion: infra.grebe.example/v1, kind: Box, name: $1}}"
  finalizer shop hosts.fleet.grebe.example "$1" fleet.grebe.example/host grebe-manager
}
host one False InstanceStopped
host two True Running
kubectl -n shop delete hosts.fleet.grebe.example "${GOES:-one}" --wait=false
says shop hosts.fleet.grebe.example "${GOES:-one}" grebe-manager "{conditions: [{type: Detached, status: 'False', reason: Waiting,
  message: waiting for its volumes}]}"
late
aged 30 "/registry/fleet.grebe.example/hosts/shop/${GOES:-one}" hosts.fleet.grebe.example "${GOES:-one}" -n shop
