# Like awaits-confirmation--one-of-its-parts, but the status says that no confirmation is required.
REQUIRES=false
twin_of awaits-confirmation--one-of-its-parts
