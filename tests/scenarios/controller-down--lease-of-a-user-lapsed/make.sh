# A controller in a cloud's control plane writes as a user and has not renewed its lease for a day.
# A Deployment of another product is at 0.
node worker Ready
settled worker
operator parked parked-operator 0
kubectl create clusterrole tern:policy-controller --verb=get,list,watch,update,patch --resource=networkpolicies.networking.k8s.io
kubectl create clusterrolebinding tern:policy-controller --clusterrole=tern:policy-controller --user=tern:policy-controller
kubectl create namespace shop
kubectl -n shop apply -f - <<'YAML'
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: front}
spec: {podSelector: {}}
YAML
finalizer shop networkpolicy front policies.tern.example/resources tern-policy-controller
"${LEASE:-lease}" kube-system tern-policy-controller i-0b1f4c3d5e6f70811 90000
kubectl -n shop delete networkpolicy front --wait=false
late
aged 60 /registry/networkpolicies/shop/front networkpolicy front -n shop
