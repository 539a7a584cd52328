# Like cannot-create--for-another-of-its-objects, but the role is refused in another namespace, which is going, too.
REFUSED=mesh-staging
twin_of cannot-create--for-another-of-its-objects
