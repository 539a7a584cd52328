# Like namespace-held-by-finalizer--marks-of-its-framework, but the label names the operator that
# runs.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../namespace-held-by-finalizer--marks-of-its-framework/make.sh"
