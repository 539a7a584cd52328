# Like failing-reference--member-of-its-control-plane, but all members of etcd are well.
TWIN=yes
twin_of failing-reference--member-of-its-control-plane
