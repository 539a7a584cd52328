# Like dangling-reference--destination-unknown, but the object is for a cluster that its controller knows.
DEST='harbor: lisbon'
. "$(dirname "${BASH_SOURCE[0]}")/../dangling-reference--destination-unknown/make.sh"
