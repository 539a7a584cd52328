# Like in-use--default-of-those-that-name-none, but both objects name the other configuration.
PLUMS='{size: 2, storeConfigRef: {name: cold}}'
. "$(dirname "${BASH_SOURCE[0]}")/../in-use--default-of-those-that-name-none/make.sh"
