# Like awaits-confirmation--one-of-its-parts, but the status says that no confirmation is required.
REQUIRES=false
. "$(dirname "${BASH_SOURCE[0]}")/../awaits-confirmation--one-of-its-parts/make.sh"
