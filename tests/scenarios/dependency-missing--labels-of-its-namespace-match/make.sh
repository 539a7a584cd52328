# Like out-of-scope--scope-by-labels-of-namespaces, but another namespace lost the label, and a
# Secret is missing.
OTHER=team-b
. "$(dirname "${BASH_SOURCE[0]}")/../out-of-scope--scope-by-labels-of-namespaces/make.sh"
