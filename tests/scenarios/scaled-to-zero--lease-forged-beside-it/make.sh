# Like scaled-to-zero--sidecar-with-a-lease-of-its-driver, but a tenant has a sidecar of the same name without rights,
# and a Lease of the same name, which is fresh.
TWIN=yes FORGED=yes
twin_of scaled-to-zero--sidecar-with-a-lease-of-its-driver
