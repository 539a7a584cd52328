# Like scaled-to-zero--sidecar-with-a-lease-of-its-driver, but its controller crashes.
TWIN=yes STATE=crash
twin_of scaled-to-zero--sidecar-with-a-lease-of-its-driver
