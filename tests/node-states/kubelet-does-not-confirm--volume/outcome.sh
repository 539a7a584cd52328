wait_for 20 "its volume is unmounted" unmounted
