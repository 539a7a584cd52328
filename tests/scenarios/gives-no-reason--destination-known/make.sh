# Like dangling-reference--destination-unknown, but the object is for a cluster that its controller knows.
DEST='harbor: lisbon'
twin_of dangling-reference--destination-unknown
