# Like failing-reference--member-of-its-control-plane, but all members of etcd are well.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../failing-reference--member-of-its-control-plane/make.sh"
