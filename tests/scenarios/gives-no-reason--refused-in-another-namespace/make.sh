# Like cannot-create--for-another-of-its-objects, but the role is refused in another namespace, which is going, too.
REFUSED=mesh-staging
. "$(dirname "${BASH_SOURCE[0]}")/../cannot-create--for-another-of-its-objects/make.sh"
