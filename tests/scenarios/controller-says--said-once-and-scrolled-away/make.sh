# Like controller-says--template-in-use-in-its-database, but the operator said it once, right after the
# deletion, and gave up. Thousands of lines followed.
TRIES=1
NOISE=9000
twin_of controller-says--template-in-use-in-its-database
