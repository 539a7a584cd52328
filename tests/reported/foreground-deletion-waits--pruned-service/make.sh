# Like garbage-collector-idle--nothing-depends-on-it, but a dependent of the Service is held by an
# operator at zero.
TWIN=yes
twin_of garbage-collector-idle--nothing-depends-on-it
