# Like namespace-held-by-finalizer--marks-of-its-framework, but the label names the operator that
# runs.
TWIN=yes
twin_of namespace-held-by-finalizer--marks-of-its-framework
