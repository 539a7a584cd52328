# Like resource-claim-in-use--pod-gone, but the controller manager is gone and its lease has
# expired.
TWIN=yes
twin_of resource-claim-in-use--pod-gone
