# A pod waits for the kubelet of a node that somebody has shut down for maintenance. BEGUN is the status of the
# conditions that say so.
node alive Ready
node silent NotReady
kubectl patch node silent --subresource=status --type=strategic -p "{\"status\":{\"conditions\":[
  {\"type\":\"MaintenancePlanned\",\"status\":\"True\",\"reason\":\"Firmware\",\"message\":\"rack 7 on Monday\"},
  {\"type\":\"MaintenanceInProgress\",\"status\":\"${BEGUN:-True}\",\"reason\":\"Firmware\",\"message\":\"rack 7: ask the data centre team\"}]}}"
kubectl create namespace shop
pod shop web silent 1
delete_namespace shop
