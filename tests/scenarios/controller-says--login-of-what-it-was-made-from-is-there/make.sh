# Like dependency-missing--login-of-what-it-was-made-from, but that Secret exists: the controller looks elsewhere.
TWIN=yes
twin_of dependency-missing--login-of-what-it-was-made-from
