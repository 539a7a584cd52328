# An ingress is deleted after its class. Its controller reads the class first and skips an ingress
# without one, which only its log says. An ingress of another class of the same controller and one
# of another controller are healthy.
node worker Ready
settled worker
works 600 native-ingress-controller-system oci-native-ingress-controller ingresses.networking.k8s.io ingressclasses.networking.k8s.io services.
leading native-ingress-controller-system oci-native-ingress-controller 2d4c0b8e-7c55-4b6a-9d39-5b1f0f2e7777
works 600 ingress-nginx ingress-nginx-controller ingresses.networking.k8s.io ingressclasses.networking.k8s.io services.
leading ingress-nginx ingress-nginx-leader "$(pods_of ingress-nginx ingress-nginx-controller)"
backend ok
live_webhook Validating validate.nginx.ingress.kubernetes.io ok '"CREATE", "UPDATE"' networking.k8s.io ingresses
kubectl apply -f - <<'YAML'
apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata: {name: oci-internal, annotations: {oci-native-ingress.oraclecloud.com/id: ocid1.loadbalancer.oc1.example.internal}}
spec: {controller: oci.oraclecloud.com/native-ingress-controller}
---
apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata: {name: nginx}
spec: {controller: k8s.io/ingress-nginx}
YAML
kubectl create namespace shop
service_account shop web
deployment shop web 1
pods_on worker shop web
pods_running_since 600 shop web
service shop web 80
# ingress NAME CLASS ADDRESS [FINALIZER]
ingress() {
  kubectl apply -f - <<YAML
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: $1, namespace: shop}
spec:
  ingressClassName: $2
  rules: [{host: $1.example.com, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}]}}]
YAML
  kubectl -n shop patch ingress "$1" --subresource=status --type=merge --field-manager="${5:-onic}" -p "status: {loadBalancer: {ingress: [{ip: $3}]}}"
  [ -z "${4:-}" ] || finalizer shop ingresses "$1" "$4" onic
}
ingress web oci-public 203.0.113.10 oci.oraclecloud.com/ingress-controller-protection
ingress internal oci-internal 10.0.20.5 oci.oraclecloud.com/ingress-controller-protection
ingress admin nginx 203.0.113.20 '' nginx-ingress-controller
[ -z "${TWIN:-}" ] || kubectl -n shop patch ingress web --type=merge -p 'spec: {ingressClassName: nginx}'
kubectl -n shop delete ingress web --wait=false
late
aged 75 /registry/ingress/shop/web ingress web -n shop
