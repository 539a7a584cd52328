# Like scaled-to-zero--sidecar-with-a-lease-of-its-driver, but the deletion was requested a moment ago, and the last leader has released its Lease.
TWIN=yes STATE=released AGO=0
twin_of scaled-to-zero--sidecar-with-a-lease-of-its-driver
