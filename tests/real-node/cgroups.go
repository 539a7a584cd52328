//go:build linux

package main

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// hierarchy is a cgroup hierarchy: the only one of version 2, or that of some controllers of
// version 1.
type hierarchy struct {
	mountPoint string
	kind       string // "cgroup" or "cgroup2"
	options    string // options to mount it again
}

// hierarchies returns the mounted hierarchies.
func hierarchies() ([]hierarchy, error) {
	file, err := os.Open("/proc/self/mounts")
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var found []hierarchy
	for lines := bufio.NewScanner(file); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) < 4 || (fields[2] != "cgroup" && fields[2] != "cgroup2") {
			continue
		}
		found = append(found, hierarchy{fields[1], fields[2], controllers(fields[3])})
	}
	return found, nil
}

// controllers keeps the mount options that identify a hierarchy.
func controllers(options string) string {
	var kept []string
	for _, option := range strings.Split(options, ",") {
		switch option {
		case "rw", "ro", "nosuid", "nodev", "noexec", "relatime", "noatime", "nsdelegate", "memory_recursiveprot",
			"xattr", "clone_children":
		default:
			if strings.HasPrefix(option, "name=") {
				option = "none," + option
			}
			kept = append(kept, option)
		}
	}
	return strings.Join(kept, ",")
}

// group returns the path of a node's cgroup in a hierarchy.
func group(h hierarchy, name string) string { return filepath.Join(h.mountPoint, name) }

// makeGroups creates the empty cgroups of a node.
func makeGroups(name string) error {
	all, err := hierarchies()
	if err != nil {
		return err
	}
	for _, h := range all {
		if err := os.Mkdir(group(h, name), 0o755); err != nil {
			return fmt.Errorf("a node needs to make cgroups: %w", err)
		}
		// A new cpuset is empty and accepts no processes.
		for _, file := range []string{"cpuset.mems", "cpuset.cpus"} {
			parents, err := os.ReadFile(filepath.Join(h.mountPoint, file))
			if err != nil || h.kind != "cgroup" {
				continue
			}
			if err := os.WriteFile(filepath.Join(group(h, name), file), parents, 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

// joinGroups moves this process into the cgroups of a node.
func joinGroups(name string) error {
	all, err := hierarchies()
	if err != nil {
		return err
	}
	for _, h := range all {
		if err := os.WriteFile(filepath.Join(group(h, name), "cgroup.procs"), []byte("0"), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// mountGroups mounts only the cgroups below those of this process.
func mountGroups() error {
	all, err := hierarchies()
	if err != nil {
		return err
	}
	const top = "/sys/fs/cgroup"
	if len(all) > 1 || all[0].mountPoint != top {
		if err := syscall.Mount("tmpfs", top, "tmpfs", 0, "mode=755"); err != nil {
			return fmt.Errorf("%s: %w", top, err)
		}
	}
	for _, h := range all {
		if err := os.MkdirAll(h.mountPoint, 0o755); err != nil {
			return err
		}
		if err := syscall.Mount(h.kind, h.mountPoint, h.kind, 0, h.options); err != nil {
			return fmt.Errorf("%s: %w", h.mountPoint, err)
		}
	}
	return delegate(all)
}

// delegate enables the controllers of version 2 for the cgroups below the root. For that the root
// must have no processes.
func delegate(all []hierarchy) error {
	for _, h := range all {
		text, err := os.ReadFile(filepath.Join(h.mountPoint, "cgroup.controllers"))
		names := strings.Fields(string(text))
		if h.kind != "cgroup2" || err != nil || len(names) == 0 {
			continue
		}
		own := filepath.Join(h.mountPoint, "harness")
		if err := os.Mkdir(own, 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(own, "cgroup.procs"), []byte("0"), 0o644); err != nil {
			return err
		}
		wanted := "+" + strings.Join(names, " +")
		if err := os.WriteFile(filepath.Join(h.mountPoint, "cgroup.subtree_control"), []byte(wanted), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// removeGroups kills the processes in a node's cgroups and removes the cgroups.
func removeGroups(name string, within time.Duration) error {
	all, err := hierarchies()
	if err != nil {
		return err
	}
	for until := time.Now().Add(within); ; time.Sleep(50 * time.Millisecond) {
		left := 0
		for _, h := range all {
			left += removeGroup(group(h, name))
		}
		if left == 0 {
			return nil
		}
		if time.Now().After(until) {
			return fmt.Errorf("%d cgroups named %s cannot be removed", left, name)
		}
	}
}

// removeGroup removes a cgroup and those below it, and returns how many are left.
func removeGroup(path string) int {
	entries, err := os.ReadDir(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0
	}
	left := 0
	for _, entry := range entries {
		if entry.IsDir() {
			left += removeGroup(filepath.Join(path, entry.Name()))
		}
	}
	killAll(filepath.Join(path, "cgroup.procs"))
	if err := syscall.Rmdir(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return left + 1
	}
	return left
}

func killAll(list string) {
	text, _ := os.ReadFile(list) // a missing list is empty
	for _, line := range strings.Fields(string(text)) {
		if pid, err := strconv.Atoi(line); err == nil && pid > 1 {
			syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}
