# Like held-by-finalizer--clean-up-meets-a-dead-webhook, but the webhook is gone with its namespace,
# and the operator does not run.
TWIN=yes
twin_of held-by-finalizer--clean-up-meets-a-dead-webhook
