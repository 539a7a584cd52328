# Like scaled-to-zero--sidecar-with-a-lease-of-its-driver, but its controller runs and leads, and its binding is gone.
TWIN=yes STATE=runs UNBOUND=quarry
twin_of scaled-to-zero--sidecar-with-a-lease-of-its-driver
