# Like scaled-to-zero--beside-what-applied-it, but the operator runs and gives no reason, and the
# program that applied its objects is at zero.
TWIN=yes
twin_of scaled-to-zero--beside-what-applied-it
