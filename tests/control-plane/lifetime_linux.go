package main

import "syscall"

// dieWithParent makes the kernel kill the child when the thread that started it exits. That also
// kills a child that is stopped or hangs and so reads no stdin. The child has its own process
// group, so that a Ctrl-C in the terminal does not reach it. The command up ends it.
func dieWithParent() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
}
