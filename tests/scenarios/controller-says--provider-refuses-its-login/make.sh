# A provider refuses the login of an operator. Only its log says so (Go's own logger: no level, no keys).
crd tunnels operator.inlets.dev Tunnel Namespaced v1alpha1
logging inlets inlets-operator tunnels.operator.inlets.dev
hung 5 web Tunnel.v1alpha1.operator.inlets.dev tunnels storefront operator.inlets.dev/exit-server inlets-operator '{serviceRef: {name: storefront}}'
logged inlets "$(pods_of inlets inlets-operator)" manager storefront <<'LOG'
@std Tunnel web/storefront: deleting exit-server 3164444
@std Tunnel web/storefront: error deleting exit-server: DELETE https://api.digitalocean.com/v2/droplets/3164444: 401 Unable to authenticate you
LOG
