# Like claim-in-use, and the claim's condition says for how long.
. "$(dirname "${BASH_SOURCE[0]}")/../claim-in-use/make.sh"
kubectl -n shop patch pvc data --subresource=status --type=merge -p "{\"status\":{\"conditions\":[{
  \"type\":\"Unused\",\"status\":\"False\",\"reason\":\"PodUsingPVC\",\"lastTransitionTime\":\"$(date -u -d '-3 days' +%FT%TZ)\"}]}}"
