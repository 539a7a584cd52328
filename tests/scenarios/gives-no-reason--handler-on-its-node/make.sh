# Like no-agent--handler-of-its-machine-kept-off, but the handler runs on the node.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../no-agent--handler-of-its-machine-kept-off/make.sh"
