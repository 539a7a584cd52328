# As garbage-collector-idle--nothing-depends-on-it, but an object depends on the Service and is held by an operator at zero.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../garbage-collector-idle--nothing-depends-on-it/make.sh"
