# Like finalizer-removal-refused--controller-refused-too, but the policy lets the operator change ledgers: starting it is enough.
MAY_CHANGE="request.userInfo.username == 'system:serviceaccount:vault:ledger-operator'"
twin_of finalizer-removal-refused--controller-refused-too
