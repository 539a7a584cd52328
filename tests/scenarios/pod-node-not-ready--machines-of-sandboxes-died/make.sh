# Like kubelet-does-not-confirm--machine-of-the-sandbox-died, but the kubelet of that node is dead
# too.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../kubelet-does-not-confirm--machine-of-the-sandbox-died/make.sh"
