# Like ring-of-waits--behind-its-owner, but the database is not being deleted and has to become
# Ready.
TWIN=yes
twin_of ring-of-waits--behind-its-owner
