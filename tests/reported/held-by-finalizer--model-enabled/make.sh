# Like finalizer-removal-refused--model-disabled, but the model is enabled, and the operator is at
# zero.
TWIN=yes
twin_of finalizer-removal-refused--model-disabled
