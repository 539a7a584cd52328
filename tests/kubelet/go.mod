// Only marks the module's folder: it is built with -modfile=versions/VERSION.mod.
module kubelet

go 1.26.0
