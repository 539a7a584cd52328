driver csi disk.acme.io
