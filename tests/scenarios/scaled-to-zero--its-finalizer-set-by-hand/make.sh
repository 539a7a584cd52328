# Like set-by-hand--on-a-custom-kind, but the finalizer that somebody set again by hand is the operator's own.
TWIN=yes KEY=delivery.example/undo
twin_of set-by-hand--on-a-custom-kind
