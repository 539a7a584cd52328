# As finalizer-removal-refused--an-unused-part-is-not-valid, but all providers are valid, and Flux, which has to take off
# what was installed, is at zero.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../finalizer-removal-refused--an-unused-part-is-not-valid/make.sh"
