# Like confined-to-namespace--roles-in-its-own-namespace, but the operator has the same Role in the
# namespace of the object.
BOTH=yes
. "$(dirname "${BASH_SOURCE[0]}")/../confined-to-namespace--roles-in-its-own-namespace/make.sh"
