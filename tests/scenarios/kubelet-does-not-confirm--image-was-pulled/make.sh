# Like kubelet-does-not-confirm--image-is-pulled, but the image is pulled and is not the cause.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../kubelet-does-not-confirm--image-is-pulled/make.sh"
