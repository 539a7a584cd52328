# As kubelet-does-not-confirm--hook-may-still-run, but the container has ended: no hook of it runs any more.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../kubelet-does-not-confirm--hook-may-still-run/make.sh"
