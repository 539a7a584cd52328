//go:build !linux

package main

import "syscall"

// dieWithParent has nothing to add here: the end of stdin ends the child.
func dieWithParent() *syscall.SysProcAttr {
	return nil
}
