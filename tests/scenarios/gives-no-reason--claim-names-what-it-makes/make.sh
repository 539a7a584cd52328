# A claim names in its spec the object that is made for it. That object is gone already, as it should be. The
# controller runs and says nothing.
crd ${PLURAL:=vaultclaims} keep.example ${KIND:=VaultClaim}
crd vaults keep.example Vault Cluster
node worker Ready
settled worker
works 600 keep vault-smith $PLURAL.keep.example vaults.keep.example
kubectl create namespace shop
object shop $KIND.v1.keep.example blue "{vaultName: gems, size: 3}"
finalizer shop $PLURAL.keep.example blue keep.example/hand-back vault-smith
kubectl -n shop delete $PLURAL.keep.example blue --wait=false
aged 30 /registry/keep.example/$PLURAL/shop/blue $PLURAL.keep.example blue -n shop
late
