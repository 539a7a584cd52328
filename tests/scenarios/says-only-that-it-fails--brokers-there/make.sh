# Like dangling-reference--brokers-gone, but the brokers that the topic names exist, so the reason is
# unknown.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../dangling-reference--brokers-gone/make.sh"
