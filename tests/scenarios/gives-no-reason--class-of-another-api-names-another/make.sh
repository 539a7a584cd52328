# Like in-use--class-of-another-api-names-it, but both classes name the other profile.
NAMED=narrow
twin_of in-use--class-of-another-api-names-it
