# Like dependency-missing--login-of-what-it-was-made-from, but that Secret exists: the controller looks elsewhere.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../dependency-missing--login-of-what-it-was-made-from/make.sh"
