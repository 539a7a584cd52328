# Like garbage-collector-idle--nothing-depends-on-it, but a dependent of the Service is held by an
# operator at zero.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../garbage-collector-idle--nothing-depends-on-it/make.sh"
