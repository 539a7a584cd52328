# Like scaled-to-zero--what-it-deletes-is-held, but the other deleted objects do not have the
# operator's label.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../scaled-to-zero--what-it-deletes-is-held/make.sh"
