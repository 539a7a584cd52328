# Like held-by-finalizer--label-taken-off-before, but the pod has its label, and the operator is at
# zero.
TWIN=yes
twin_of held-by-finalizer--label-taken-off-before
