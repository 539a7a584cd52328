# The functions of tests/scenarios/lib.sh, and those for a real node, which is named `worker`.
. "$(dirname "${BASH_SOURCE[0]}")/../scenarios/lib.sh"

# inside COMMAND... runs a command in the namespaces of the node. It is killed when the node ends.
inside() {
  local group
  (
    for group in /sys/fs/cgroup/*/"$(<"$PLANE/node.group")" "/sys/fs/cgroup/$(<"$PLANE/node.group")/harness"; do
      [ ! -d "$group" ] || echo $BASHPID >"$group/cgroup.procs"
    done
    exec nsenter --target "$(<"$PLANE/node.pid")" --mount --uts --ipc --net --pid --cgroup -- "$@"
  )
}

# killed kubelet|containerd kills a program at once, like a crash.
killed() { inside sh -c 'kill -KILL $(cat "/run/$1.id")' - "$1"; }

# started kubelet|containerd starts a program again.
started() { inside sh "$PLANE/start-$1" <&3 >/dev/null 2>&1 & }

# runs NAMESPACE POD waits until the containers of a pod run.
runs() { kubectl -n "$1" wait --for=condition=Ready "pod/$2" --timeout=120s; }

# silent waits until the control plane has noticed that the kubelet does not report.
silent() { kubectl wait --for=condition=Ready=Unknown node/worker --timeout=120s; }

# container ARGS... prints a container that runs the test image with these arguments.
container() {
  local words
  printf -v words '"%s",' "$@"
  echo "image: unstick.test/pod:1, imagePullPolicy: Never, args: [${words%,}]"
}

# real_pod NAMESPACE NAME GRACE "CONTAINER" [SPEC] creates a pod on the node. CONTAINER is what
# `container` prints.
real_pod() {
  kubectl apply -f - <<YAML
apiVersion: v1
kind: Pod
metadata: {name: $2, namespace: $1}
spec:
  nodeName: worker
  automountServiceAccountToken: false
  terminationGracePeriodSeconds: $3
  containers: [{name: c, $4}]
  ${5:-}
YAML
}

# ended checks that no container runs on the node any more except the pause containers.
ended() { ! inside sh -c 'cat /proc/[0-9]*/cmdline 2>/dev/null | tr "\0" " "' | grep -q '/pod [^p]'; }

# driver csi|dra NAME installs a driver on the node, which registers with the kubelet.
driver() {
  namespace drivers
  kubectl apply -f - <<YAML
apiVersion: v1
kind: Pod
metadata: {name: $1, namespace: drivers}
spec:
  nodeName: worker
  automountServiceAccountToken: false
  terminationGracePeriodSeconds: 5
  containers:
  - name: driver
    image: unstick.test/driver:1
    imagePullPolicy: Never
    args: [$1, $2]
    securityContext: {privileged: true}
    volumeMounts: [{name: kubelet, mountPath: /var/lib/kubelet, mountPropagation: Bidirectional}]
  volumes: [{name: kubelet, hostPath: {path: /var/lib/kubelet}}]
YAML
  runs drivers "$1"
}

# still_runs checks that a container still runs on the node, whatever the API says.
still_runs() { ! ended; }

# unmounted checks that the node has no mount of the pod whose uid is in $PLANE/uid any more.
unmounted() { ! inside grep -q "$(<"$PLANE/uid")" /proc/mounts; }
