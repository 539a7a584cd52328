# Like controller-says--template-in-use-in-its-database, but the error is from before the deletion, and was
# not repeated.
AGO=440
TRIES=2
twin_of controller-says--template-in-use-in-its-database
