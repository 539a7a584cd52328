# The controller of a storage driver is at 0. Nothing in its manifest names the driver, whose name its
# sidecars learn over a socket: only the Lease of the attacher carries it. Another driver's controller runs
# beside it, with the same sidecars.
#
# plugin NAMESPACE NAME DRIVER creates the controller of a driver at 0, which may attach volumes.
plugin() {
  service_account "$1" "$2"
  csi_driver "$3"
  deployment "$1" "$2" 0 "{name: plugin, image: example.invalid/plugin, args: [--endpoint=unix:///csi/csi.sock]},
    {name: csi-attacher, image: example.invalid/csi-attacher, args: [--csi-address=/csi/csi.sock, --leader-election]}"
  [ -n "${UNBOUND:-}" ] && [ "$1" = "$UNBOUND" ] ||
    kubectl create clusterrolebinding "$2" --clusterrole=attacher --serviceaccount="$1:$2"
}

# attached NAME DRIVER [NODE] creates a volume of a driver and its attachment to a node, by default worker.
attached() {
  csi_volume "vol-$1" "$2" "vol-$1"
  attachment "of-$1" "$2" "vol-$1" "${3:-worker}"
}

# runs NAMESPACE NAME DRIVER makes a controller run, as the leader for its driver.
runs() {
  kubectl -n "$1" scale deployment "$2" --replicas=1
  pods_on worker "$1" "$2"
  pods_running_since 600 "$1" "$2" plugin csi-attacher
  leading "$1" "external-attacher-leader-${3//./-}" "$(pods_of "$1" "$2")"
}

node worker Ready
settled worker
rights attacher volumeattachments.storage.k8s.io
plugin quarry quarry-disks block.granite.example
plugin orchard orchard-shares file.cider.example
runs orchard orchard-shares file.cider.example
attached granite block.granite.example
attached cider file.cider.example
case ${STATE:-zero} in
zero) lease quarry external-attacher-leader-block-granite-example quarry-disks-5c689d88bb-x7k2p 3000 ;;
released) lease quarry external-attacher-leader-block-granite-example "" 3000 ;;
crash)
  kubectl -n quarry scale deployment quarry-disks --replicas=1
  pods_crash quarry quarry-disks Error 1
  lease quarry external-attacher-leader-block-granite-example "$(pods_of quarry quarry-disks)" 3000
  ;;
runs) runs quarry quarry-disks block.granite.example ;;
esac
if [ -n "${FORGED:-}" ]; then
  UNBOUND=shop plugin shop shop-disks shop.example
  lease shop external-attacher-leader-block-granite-example shop-disks-5c689d88bb-x7k2p
fi
kubectl delete volumeattachments.storage.k8s.io of-granite --wait=false
[ "${AGO:-30}" = 0 ] || aged "${AGO:-30}" /registry/volumeattachments/of-granite volumeattachments of-granite
late
