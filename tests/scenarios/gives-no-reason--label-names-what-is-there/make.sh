# Like dangling-reference--label-names-what-is-gone, but the cluster exists, so the reason is
# unknown.
TWIN=yes
twin_of dangling-reference--label-names-what-is-gone
