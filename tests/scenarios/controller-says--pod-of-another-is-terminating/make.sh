# Like waits-for-others--its-pod-hangs-on-its-node, but the pod that hangs does not belong to the launch.
ALIEN=yes
twin_of waits-for-others--its-pod-hangs-on-its-node
