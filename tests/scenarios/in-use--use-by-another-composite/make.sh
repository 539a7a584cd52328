# Like ring-of-waits--use-by-its-own-composite, but the use is by another composite, which nobody deletes.
BY=west-x ANOTHER=yes
twin_of ring-of-waits--use-by-its-own-composite
