# Like in-use--users-counted, but the run is not admitted, and the pool counts no runs. A
# queue still names the pool.
TWIN=yes
twin_of in-use--users-counted
