# Like controller-says--template-in-use-in-its-database, but the error is from before the deletion, and was
# not repeated.
AGO=440
TRIES=2
. "$(dirname "${BASH_SOURCE[0]}")/../controller-says--template-in-use-in-its-database/make.sh"
