# The kubelet forgets the claim only after the driver has released its devices.
forgotten() { ! inside grep -q gpu.acme.io /var/lib/kubelet/dra_manager_state; }
wait_for 30 "the driver has released the device" forgotten
