# Like cleanup-job-stuck--pod-with-its-uid-hangs, but the pod of this claim runs, and that of another claim cannot pull its image.
TWIN=yes
twin_of cleanup-job-stuck--pod-with-its-uid-hangs
