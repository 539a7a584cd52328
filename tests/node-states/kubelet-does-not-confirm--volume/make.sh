# A volume in memory cannot be unmounted because a process on the node uses it.
kubectl create namespace shop
real_pod shop web 5 "$(container obey 1), volumeMounts: [{name: cache, mountPath: /cache}]" \
  "volumes: [{name: cache, emptyDir: {medium: Memory}}]"
runs shop web
kubectl -n shop get pod web -o jsonpath='{.metadata.uid}' >"$PLANE/uid"
volume=/var/lib/kubelet/pods/$(<"$PLANE/uid")/volumes/kubernetes.io~empty-dir/cache
inside sh -c 'cd "$1" && echo $$ >/run/squatter.id && exec sleep 3600' - "$volume" <&3 >/dev/null 2>&1 &
wait_for 10 "it is in it" inside test -e /run/squatter.id
kubectl -n shop delete pod web --wait=false
sleep 20
