# Like writes-refused--policy-asks-for-a-right, but the operator's account has that right.
KEEPER=vault:ledger-operator
. "$(dirname "${BASH_SOURCE[0]}")/../writes-refused--policy-asks-for-a-right/make.sh"
