# As held-by-finalizer--logical-volume-without-its-volume, but the volume is still there: its driver keeps the entry for it.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--logical-volume-without-its-volume/make.sh"
