started kubelet
