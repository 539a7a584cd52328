# Like permissions-missing--verb-lost-on-services, but the ClusterRole has all verbs.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../permissions-missing--verb-lost-on-services/make.sh"
