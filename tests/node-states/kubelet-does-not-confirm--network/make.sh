# The network plugin fails to tear down the network of a pod. Another pod is healthy.
kubectl create namespace shop
inside sh -c 'mkdir -p /run/cni/bin && cat >/run/cni/bin/ptp && chmod +x /run/cni/bin/ptp' <<'SH'
#!/bin/sh
if [ "$CNI_COMMAND" = DEL ] && [ ! -e /run/cni/mended ]; then
  echo '{"cniVersion": "0.4.0", "code": 11, "msg": "the datastore does not answer"}'
  exit 1
fi
PATH=/usr/lib/cni:/opt/cni/bin:/usr/libexec/cni exec ptp
SH
real_pod shop web 5 "$(container obey 1)"
real_pod shop api 5 "$(container obey 1)"
runs shop web
runs shop api
kubectl -n shop delete pod web --wait=false
sleep 20
