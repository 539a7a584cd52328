# Like volume-still-attached--provisioner-may-not-patch, but the role has the verb, and the
# provisioner reports what its storage answers.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../volume-still-attached--provisioner-may-not-patch/make.sh"
