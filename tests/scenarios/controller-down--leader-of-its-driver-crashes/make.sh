# Like scaled-to-zero--sidecar-with-a-lease-of-its-driver, but its controller crashes.
TWIN=yes STATE=crash
. "$(dirname "${BASH_SOURCE[0]}")/../scaled-to-zero--sidecar-with-a-lease-of-its-driver/make.sh"
