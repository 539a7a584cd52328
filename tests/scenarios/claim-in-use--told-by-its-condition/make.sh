# Like claim-in-use, and the claim's condition says for how long.
twin_of claim-in-use
kubectl -n shop patch pvc data --subresource=status --type=merge -p "{\"status\":{\"conditions\":[{
  \"type\":\"Unused\",\"status\":\"False\",\"reason\":\"PodUsingPVC\",\"lastTransitionTime\":\"$(date -u -d '-3 days' +%FT%TZ)\"}]}}"
