# Like volume-still-attached--node-of-volume-gone, but the node exists, and its agent reports a
# failure.
TWIN=yes
twin_of volume-still-attached--node-of-volume-gone
