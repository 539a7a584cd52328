# Like held-by-finalizer--lease-of-a-user-lapsed, but the lease is renewed.
LEASE=leading
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--lease-of-a-user-lapsed/make.sh"
