# Like no-longer-referenced--selector-no-longer-matches, but the namespace still has the label.
KEPT=yes
. "$(dirname "${BASH_SOURCE[0]}")/../no-longer-referenced--selector-no-longer-matches/make.sh"
