# Like controller-says--writes-on-an-old-copy, but the operator lost one race only, as happens everywhere.
TRIES=1
twin_of controller-says--writes-on-an-old-copy
