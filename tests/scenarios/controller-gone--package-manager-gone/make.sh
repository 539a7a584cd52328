# Like apiservice-unavailable--package-server-went, but the APIService was deleted, and a
# ClusterServiceVersion remains with the package manager's finalizer.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../apiservice-unavailable--package-server-went/make.sh"
