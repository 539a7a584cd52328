# Like scaled-to-zero--sidecar-with-a-lease-of-its-driver, but its controller runs and leads, and the deletion was requested a minute ago.
TWIN=yes STATE=runs AGO=1
twin_of scaled-to-zero--sidecar-with-a-lease-of-its-driver
