# The addresses of the other pod and of its gateway stay.
one_is_left() { test "$(inside sh -c 'ls /run/cni/addresses/pods | grep -c "^203"')" = 1; }
wait_for 20 "its address is free" one_is_left
