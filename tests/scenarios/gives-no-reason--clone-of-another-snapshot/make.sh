# Like in-use--clone-named-with-its-parent, but the volume was cloned from another snapshot.
FROM=snap-5e5e0001
twin_of in-use--clone-named-with-its-parent
