# Like held-by-finalizer--scope-by-labels-of-namespaces, but another namespace lost the label, and a
# Secret is missing.
OTHER=team-b
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--scope-by-labels-of-namespaces/make.sh"
