# Like scaled-to-zero--sidecar-with-a-lease-of-its-driver, but a tenant has a sidecar of the same name without rights,
# and a Lease of the same name, which is fresh.
TWIN=yes FORGED=yes
. "$(dirname "${BASH_SOURCE[0]}")/../scaled-to-zero--sidecar-with-a-lease-of-its-driver/make.sh"
