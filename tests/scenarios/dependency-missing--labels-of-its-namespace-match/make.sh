# Like out-of-scope--scope-by-labels-of-namespaces, but another namespace lost the label, and a
# Secret is missing.
OTHER=team-b
twin_of out-of-scope--scope-by-labels-of-namespaces
