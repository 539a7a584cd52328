# A certificate's challenge cannot take its record back. Only cert-manager's log says so (klog, with the
# object as a key).
crd challenges acme.cert-manager.io Challenge
logging cert-manager cert-manager challenges.acme.cert-manager.io
hung 5 shop Challenge.v1.acme.cert-manager.io challenges web-1-2718281828-3141592653 acme.cert-manager.io/finalizer cert-manager-challenges \
  '{dnsName: shop.example.com, type: DNS-01}'
logged cert-manager "$(pods_of cert-manager cert-manager)" manager web-1-2718281828-3141592653 <<'LOG'
E@klog       1 sync.go:282] "error cleaning up challenge" err="while querying the Cloudflare API for DELETE \"/zones/0f3c/dns_records\" : error 9109: Invalid access token for zone example.com" logger="cert-manager.controller" resource_name="web-1-2718281828-3141592653" resource_namespace="shop" resource_kind="Challenge" resource_version="v1" dnsName="shop.example.com" type="DNS-01"
E@klog       1 controller.go:157] "re-queuing item due to error processing" err="while querying the Cloudflare API for DELETE \"/zones/0f3c/dns_records\" : error 9109: Invalid access token for zone example.com" logger="cert-manager.controller" key="shop/web-1-2718281828-3141592653"
LOG
