# Like in-use--address-of-a-namespace-that-is-gone, but the pod runs.
TWIN=yes
twin_of in-use--address-of-a-namespace-that-is-gone
