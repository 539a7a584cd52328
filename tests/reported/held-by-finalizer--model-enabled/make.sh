# Like finalizer-removal-refused--model-disabled, but the model is enabled, and the operator is at
# zero.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../finalizer-removal-refused--model-disabled/make.sh"
