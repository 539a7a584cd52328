# Like ring-of-waits--bucket-before-its-claim, but the claim was deleted first, and the storage
# refuses because the bucket is not empty.
TWIN=yes
twin_of ring-of-waits--bucket-before-its-claim
