# Like pod-grace-period--hook-tries-again, but the grace period ended ten minutes ago, so the hook
# is not the cause.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../pod-grace-period--hook-tries-again/make.sh"
