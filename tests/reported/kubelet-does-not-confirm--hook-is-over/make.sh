# As pod-grace-period--hook-tries-again, but the grace period ended ten minutes ago: the hook is not why.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../pod-grace-period--hook-tries-again/make.sh"
