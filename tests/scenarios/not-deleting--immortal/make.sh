# Somebody tries to delete a namespace that the API server never deletes.
furnished default
refused() { kubectl delete namespace default --wait=false 2>&1 | grep -q "may not be deleted"; }
refused
