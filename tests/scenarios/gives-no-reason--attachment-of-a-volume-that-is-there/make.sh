# Like dangling-reference--attachment-of-a-volume-that-is-gone, but the volume exists.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../dangling-reference--attachment-of-a-volume-that-is-gone/make.sh"
