# As kubelet-does-not-confirm--machine-of-the-sandbox-died, but the kubelet of that node was killed, too.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../kubelet-does-not-confirm--machine-of-the-sandbox-died/make.sh"
