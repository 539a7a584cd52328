# Like scaled-to-zero--sidecar-with-a-lease-of-its-driver, but its controller runs and leads, and its binding is gone.
TWIN=yes STATE=runs UNBOUND=quarry
. "$(dirname "${BASH_SOURCE[0]}")/../scaled-to-zero--sidecar-with-a-lease-of-its-driver/make.sh"
