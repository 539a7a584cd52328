//go:build !linux

package main

import "syscall"

// dieWithParent does nothing on this system, where the end of stdin ends the child.
func dieWithParent() *syscall.SysProcAttr {
	return nil
}
