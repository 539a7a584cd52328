# Like waits-for-others--group-of-a-finished-pod, but all pods of the group have finished.
TWIN=yes
twin_of waits-for-others--group-of-a-finished-pod
