package main

import "syscall"

// dieWithParent has the kernel kill the child when the thread that started it
// ends: that also ends a child which is stopped or hangs and so reads nothing.
// The group of its own keeps a Ctrl-C in the terminal from the child; up ends it.
func dieWithParent() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
}
