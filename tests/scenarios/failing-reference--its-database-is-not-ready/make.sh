# Like ring-of-waits--behind-its-owner, but the database is not being deleted and has to become
# Ready.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../ring-of-waits--behind-its-owner/make.sh"
