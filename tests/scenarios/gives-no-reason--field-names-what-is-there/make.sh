# Like dangling-reference--field-names-what-is-gone, but the destination exists, so the reason is
# unknown.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../dangling-reference--field-names-what-is-gone/make.sh"
