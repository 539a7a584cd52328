# Like volume-still-attached--provisioner-may-not-patch, but the role has the verb, and the
# provisioner reports what its storage answers.
TWIN=yes
twin_of volume-still-attached--provisioner-may-not-patch
