# Like held-by-finalizer--brokers-gone, but the brokers that the topic names exist, so the reason is
# unknown.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--brokers-gone/make.sh"
