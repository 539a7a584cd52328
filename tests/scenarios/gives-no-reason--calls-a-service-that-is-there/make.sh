# Like dangling-reference--calls-a-service-that-is-gone, but the Service exists, so the reason is
# unknown.
TWIN=yes
twin_of dangling-reference--calls-a-service-that-is-gone
