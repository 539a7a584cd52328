# A lathe was deleted while its operator ran. The operator gives no reason.
node worker Ready
settled worker
crd lathes tools.example Lathe
old_kind lathes.tools.example
works 600 ops lathe-operator lathes.tools.example
works 600 ops drill-operator configmaps.
kubectl create namespace shop
for name in east west; do
  object shop Lathe.v1.tools.example $name '{spindles: 2}'
  finalizer shop lathes.tools.example $name tools.example/unbolt lathe-operator
done
kubectl -n shop delete lathes.tools.example east --wait=false
late
aged 300 /registry/tools.example/lathes/shop/east lathes.tools.example east -n shop
