# Like finalizer-removal-refused--own-webhook, but all webhooks allow the update, and the operator
# is at zero.
TWIN=yes
twin_of finalizer-removal-refused--own-webhook
