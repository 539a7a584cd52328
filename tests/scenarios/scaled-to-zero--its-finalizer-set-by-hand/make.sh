# Like set-by-hand--on-a-custom-kind, but the finalizer that somebody set again by hand is the operator's own.
TWIN=yes KEY=delivery.example/undo
. "$(dirname "${BASH_SOURCE[0]}")/../set-by-hand--on-a-custom-kind/make.sh"
