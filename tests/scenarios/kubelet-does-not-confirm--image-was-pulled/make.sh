# Like kubelet-does-not-confirm--image-is-pulled, but the image is pulled and is not the cause.
TWIN=yes
twin_of kubelet-does-not-confirm--image-is-pulled
