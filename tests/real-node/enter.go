//go:build linux

package main

import (
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"
)

// unshareCgroup is CLONE_NEWCGROUP.
const unshareCgroup = 0x02000000

// own are the directories that kubelets, runtimes and plugins write to. They are mounted empty,
// in memory, and disappear with the mount namespace.
var own = []string{"/run", "/var/lib", "/var/log"}

// tunables are the kernel settings that a kubelet changes for the whole machine. Here it changes
// files in memory.
var tunables = map[string]string{
	"/proc/sys/vm/overcommit_memory":      "1",
	"/proc/sys/vm/panic_on_oom":           "0",
	"/proc/sys/kernel/panic":              "10",
	"/proc/sys/kernel/panic_on_oops":      "1",
	"/proc/sys/kernel/keys/root_maxkeys":  "1000000",
	"/proc/sys/kernel/keys/root_maxbytes": "25000000",
}

// enter is the first process in the namespaces. It completes them and then executes "init". Its
// arguments are the name of the cgroups and the arguments of "run".
func enter(args []string) error {
	runtime.LockOSThread()
	name, dir := args[0], args[1]
	if err := joinGroups(name); err != nil {
		return fmt.Errorf("cgroups: %w", err)
	}
	if err := syscall.Unshare(unshareCgroup); err != nil {
		return fmt.Errorf("cgroup namespace: %w", err)
	}
	if err := mounts(dir); err != nil {
		return fmt.Errorf("mounts: %w", err)
	}
	if err := syscall.Sethostname([]byte(nodeName)); err != nil {
		return err
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	return syscall.Exec(program, append([]string{program, "init"}, args[1:]...), os.Environ())
}

func mounts(dir string) error {
	for _, folder := range own {
		if inside, err := filepath.Rel(folder, dir); err == nil && filepath.IsLocal(inside) {
			return fmt.Errorf("%s is below %s, which a node has for itself", dir, folder)
		}
	}
	// Mounts do not propagate out of this namespace. Within it, mounts of a pod propagate to the
	// kubelet.
	for _, flag := range []uintptr{syscall.MS_PRIVATE, syscall.MS_SHARED} {
		if err := syscall.Mount("", "/", "", syscall.MS_REC|flag, ""); err != nil {
			return err
		}
	}
	if err := mountGroups(); err != nil {
		return err
	}
	if err := syscall.Mount("proc", "/proc", "proc", 0, ""); err != nil {
		return fmt.Errorf("/proc: %w", err)
	}
	for _, folder := range own {
		if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, "mode=755"); err != nil {
			return fmt.Errorf("%s: %w", folder, err)
		}
	}
	return hideTunables()
}

func hideTunables() error {
	if err := os.Mkdir("/run/tunables", 0o755); err != nil {
		return err
	}
	for path, value := range tunables {
		if !isFile(path) {
			continue // not in this kernel
		}
		copied := filepath.Join("/run/tunables", filepath.Base(path))
		if err := os.WriteFile(copied, []byte(value), 0o644); err != nil {
			return err
		}
		if err := syscall.Mount(copied, path, "", syscall.MS_BIND, ""); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

// initialize is PID 1. It starts "run", reaps orphaned processes, and exits with "run".
func initialize(args []string) error {
	signal.Ignore(os.Interrupt)
	child, err := self(append([]string{"run"}, args...)...)
	if err != nil {
		return err
	}
	child.Stdin, child.Stdout, child.Stderr = os.Stdin, os.Stdout, os.Stderr
	child.ExtraFiles = []*os.File{os.NewFile(3, "api-server"), os.NewFile(4, "etcd")}
	if err := child.Start(); err != nil {
		return err
	}
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, 0, nil)
		switch {
		case err == syscall.EINTR:
		case err != nil:
			return err
		case pid == child.Process.Pid:
			if status.ExitStatus() != 0 {
				os.Exit(1) // it has printed the error
			}
			return nil
		}
	}
}
