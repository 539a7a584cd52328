# Like ring-of-waits--bucket-before-its-claim, but the claim was deleted first, and the storage
# refuses because the bucket is not empty.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../ring-of-waits--bucket-before-its-claim/make.sh"
