# Like controller-down--lease-of-a-user-lapsed, but the lease is renewed.
LEASE=leading
twin_of controller-down--lease-of-a-user-lapsed
