# Like apiservice-unavailable--calls-the-namespace-that-waits, but the server calls a Service of a namespace that stays.
STORE=depot
. "$(dirname "${BASH_SOURCE[0]}")/../apiservice-unavailable--calls-the-namespace-that-waits/make.sh"
