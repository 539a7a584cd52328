# Like waits-for-others--its-pod-hangs-on-its-node, but the pod that hangs does not belong to the launch.
ALIEN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../waits-for-others--its-pod-hangs-on-its-node/make.sh"
