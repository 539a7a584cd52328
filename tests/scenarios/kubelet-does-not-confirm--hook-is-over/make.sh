# Like kubelet-does-not-confirm--hook-may-still-run, but the container has ended, so its hook no
# longer runs.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../kubelet-does-not-confirm--hook-may-still-run/make.sh"
