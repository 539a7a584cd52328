// Only marks the module's folder: it is built with -modfile=versions/VERSION.mod.
module control-plane

go 1.26.0
