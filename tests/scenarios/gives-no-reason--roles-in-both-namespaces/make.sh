# Like confined-to-namespace--roles-in-its-own-namespace, but the operator has the same Role in the
# namespace of the object.
BOTH=yes
twin_of confined-to-namespace--roles-in-its-own-namespace
