# Like pod-grace-period--hook-tries-again, but the grace period ended ten minutes ago, so the hook
# is not the cause.
TWIN=yes
twin_of pod-grace-period--hook-tries-again
