# Classes of another API name profiles by their parameters. The operator keeps a profile while a class does, and does not
# say so. Another class names another profile.
node worker Ready
settled worker
crd routerprofiles puffin.example RouterProfile
crd roadclasses roads.network.example RoadClass Cluster
works 600 puffin puffin-controller routerprofiles.puffin.example roadclasses.roads.network.example
for name in wide narrow; do
  object puffin RouterProfile.v1.puffin.example $name '{lanes: 4}'
  finalizer puffin routerprofiles.puffin.example $name puffin.example/profile puffin-controller
done
class() {
  object "" RoadClass.v1.roads.network.example "$1" \
    "{controllerName: puffin.example/roads, parametersRef: {group: puffin.example, kind: RouterProfile, name: $2, namespace: puffin}}"
}
class motorway "${NAMED:-wide}"
class lane narrow
kubectl -n puffin delete routerprofiles.puffin.example wide --wait=false
aged 30 /registry/puffin.example/routerprofiles/puffin/wide routerprofiles.puffin.example wide -n puffin
