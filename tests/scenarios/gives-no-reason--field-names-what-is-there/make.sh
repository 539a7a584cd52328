# Like dangling-reference--field-names-what-is-gone, but the destination exists, so the reason is
# unknown.
TWIN=yes
twin_of dangling-reference--field-names-what-is-gone
