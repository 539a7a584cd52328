# Like dependency-missing--parent-gone-first, but the control plane exists and reports why it cannot
# be used.
TWIN=yes
twin_of dependency-missing--parent-gone-first
