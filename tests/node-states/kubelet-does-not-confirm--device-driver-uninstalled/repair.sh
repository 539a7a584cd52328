driver dra gpu.acme.io
