# A cloud has taken a machine back, and the controller takes the answer for an error, each time. Only its
# log says so (Azure's answer on several lines within JSON). The object belongs to no namespace.
crd nodeclaims karpenter.sh NodeClaim Cluster
logging kube-system karpenter nodeclaims.karpenter.sh
hung 60 "" NodeClaim.v1.karpenter.sh nodeclaims spot-x7k2p karpenter.sh/termination karpenter '{expireAfter: 720h}'
logged kube-system "$(pods_of kube-system karpenter)" manager spot-mm5d8 <<'LOG'
{"level":"ERROR","time":"@iso","logger":"controller","message":"Reconciler error","commit":"0f3c1d2","controller":"nodeclaim.lifecycle","controllerGroup":"karpenter.sh","controllerKind":"NodeClaim","NodeClaim":{"name":"spot-x7k2p"},"namespace":"","name":"spot-x7k2p","reconcileID":"1d2e3f40-5a6b-4c7d-8e9f-0a1b2c3d4e5f","error":"terminating instance: getting the instance: GET https://management.azure.com/subscriptions/7/resourceGroups/mc-shop/providers/Microsoft.Compute/virtualMachines/aks-spot-x7k2p\n--------------------------------------------------------------------------------\nRESPONSE 404: 404 Not Found\nERROR CODE: ResourceNotFound\n--------------------------------------------------------------------------------\n{\n  \"error\": {\n    \"code\": \"ResourceNotFound\",\n    \"message\": \"The Resource 'Microsoft.Compute/virtualMachines/aks-spot-x7k2p' under resource group 'mc-shop' was not found.\"\n  }\n}\n"}
LOG
