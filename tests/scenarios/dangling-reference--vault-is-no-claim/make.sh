# Like gives-no-reason--claim-names-what-it-makes, but the object is a lease of a vault, which somebody else made
# before: it refers to that vault.
TWIN=yes KIND=VaultLease PLURAL=vaultleases
twin_of gives-no-reason--claim-names-what-it-makes
