# Like held-by-finalizer--cannot-report-in-its-namespace, but the add-on controller is scaled to
# zero.
TWIN=yes
twin_of held-by-finalizer--cannot-report-in-its-namespace
