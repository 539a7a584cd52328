# Like dangling-reference--calls-a-service-that-is-gone, but the Service exists, so the reason is
# unknown.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../dangling-reference--calls-a-service-that-is-gone/make.sh"
