# As apiservice-unavailable--package-server-went, but the registration was taken away, and a version of an operator is left
# whose finalizer the package manager has to take off.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../apiservice-unavailable--package-server-went/make.sh"
