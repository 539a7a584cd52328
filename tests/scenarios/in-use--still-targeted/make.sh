# Like gives-no-reason--nobody-uses-it-any-more, but a policy still targets the backend.
TWIN=yes
twin_of gives-no-reason--nobody-uses-it-any-more
