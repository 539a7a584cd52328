# Like controller-down--lease-of-a-user-lapsed, but the lease is renewed.
LEASE=leading
. "$(dirname "${BASH_SOURCE[0]}")/../controller-down--lease-of-a-user-lapsed/make.sh"
