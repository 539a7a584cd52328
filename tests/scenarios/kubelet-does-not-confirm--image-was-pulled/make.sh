# As kubelet-does-not-confirm--image-is-pulled, but the image is there: it is not why.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../kubelet-does-not-confirm--image-is-pulled/make.sh"
