# Like kubelet-does-not-confirm--machine-of-the-sandbox-died, but the kubelet of that node is dead
# too.
TWIN=yes
twin_of kubelet-does-not-confirm--machine-of-the-sandbox-died
