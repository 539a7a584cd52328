# An operator is at zero, and the program that applied its objects from a repository runs. Both may
# write the kind, but only the operator is named like its group.
node worker Ready
settled worker
crd databases shop.acme.example Database
[ -n "${TWIN:-}" ] || operator acme-system acme-shop-operator 0 databases.shop.acme.example
[ -z "${TWIN:-}" ] || works 600 acme-system acme-shop-operator databases.shop.acme.example
[ -n "${TWIN:-}" ] || works 600 gitops apply-controller databases.shop.acme.example
[ -z "${TWIN:-}" ] || operator gitops apply-controller 0 databases.shop.acme.example
works 600 cert-manager cert-manager secrets.
kubectl create namespace shop
kubectl apply --server-side --field-manager=apply-controller -f - <<'YAML'
apiVersion: shop.acme.example/v1
kind: Database
metadata: {name: orders, namespace: shop}
spec: {size: small}
YAML
finalizer shop databases orders shop.acme.example/finalizer manager
kubectl -n shop delete databases orders --wait=false
late
aged 55 /registry/shop.acme.example/databases/shop/orders databases orders -n shop
