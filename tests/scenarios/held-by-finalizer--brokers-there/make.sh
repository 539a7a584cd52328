# As held-by-finalizer--brokers-gone, but the brokers that the topic names are there: why it fails stands nowhere.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--brokers-gone/make.sh"
