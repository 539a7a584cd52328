# Like gives-no-reason--claim-names-what-it-makes, but the object is a lease of a vault, which somebody else made
# before: it refers to that vault.
TWIN=yes KIND=VaultLease PLURAL=vaultleases
. "$(dirname "${BASH_SOURCE[0]}")/../gives-no-reason--claim-names-what-it-makes/make.sh"
