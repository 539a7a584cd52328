# Like ring-of-waits--use-by-its-own-composite, but the use is by another composite, which nobody deletes.
BY=west-x ANOTHER=yes
. "$(dirname "${BASH_SOURCE[0]}")/../ring-of-waits--use-by-its-own-composite/make.sh"
