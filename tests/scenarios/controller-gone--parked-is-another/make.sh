# Like scaled-to-zero--parked-under-other-labels, but the Deployment of the operator is gone.
TWIN=yes
twin_of scaled-to-zero--parked-under-other-labels
