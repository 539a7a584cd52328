# As held-by-finalizer--provisioner-may-not-patch, but the role has the verb, and the provisioner says what its storage answers.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--provisioner-may-not-patch/make.sh"
