# Like writes-refused--policy-asks-for-a-right, but the operator's account has that right.
KEEPER=vault:ledger-operator
twin_of writes-refused--policy-asks-for-a-right
