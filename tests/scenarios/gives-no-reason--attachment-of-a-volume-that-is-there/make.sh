# Like dangling-reference--attachment-of-a-volume-that-is-gone, but the volume exists.
TWIN=yes
twin_of dangling-reference--attachment-of-a-volume-that-is-gone
