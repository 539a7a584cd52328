# Like foreground-deletion-waits--made-again-by-its-operator, but a client with a name that everybody
# sends creates the Deployment again.
MAKER=kubectl-client-side-apply
twin_of foreground-deletion-waits--made-again-by-its-operator
