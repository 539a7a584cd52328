# Like in-use--class-of-another-api-names-it, but both classes name the other profile.
NAMED=narrow
. "$(dirname "${BASH_SOURCE[0]}")/../in-use--class-of-another-api-names-it/make.sh"
