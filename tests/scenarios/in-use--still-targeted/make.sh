# Like gives-no-reason--nobody-uses-it-any-more, but a policy still targets the backend.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../gives-no-reason--nobody-uses-it-any-more/make.sh"
