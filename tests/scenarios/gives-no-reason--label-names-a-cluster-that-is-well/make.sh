# Like failing-reference--label-names-a-sick-cluster, but the deleted object is for the cluster that
# answers.
GOES=milan
twin_of failing-reference--label-names-a-sick-cluster
