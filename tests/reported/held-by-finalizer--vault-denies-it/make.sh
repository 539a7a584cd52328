# Like held-by-finalizer--nothing-to-delete-in-the-vault, but the vault denies the deletion to the
# operator's role.
TWIN=yes
twin_of held-by-finalizer--nothing-to-delete-in-the-vault
