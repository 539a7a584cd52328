# Like confined-to-namespace--roles-in-its-own-namespace, but the Role there is only for the leader
# election. The operator may write its kind nowhere.
MAY_WRITE=leases.coordination.k8s.io
twin_of confined-to-namespace--roles-in-its-own-namespace
