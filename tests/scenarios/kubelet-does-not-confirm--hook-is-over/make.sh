# Like kubelet-does-not-confirm--hook-may-still-run, but the container has ended, so its hook no
# longer runs.
TWIN=yes
twin_of kubelet-does-not-confirm--hook-may-still-run
