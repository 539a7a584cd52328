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

// hierarchy is a tree of cgroups: the only one of version 2, or that of some
// controllers of version 1.
type hierarchy struct {
	mountPoint string
	kind       string // "cgroup" or "cgroup2"
	options    string // what it is mounted with again
}

// hierarchies are those that are mounted.
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

// controllers keeps of a mount's options those that say which hierarchy it is.
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

// group is the cgroup of one node in each hierarchy.
func group(h hierarchy, name string) string { return filepath.Join(h.mountPoint, name) }

// makeGroups makes a node's cgroups, with nothing in them.
func makeGroups(name string) error {
	all, err := hierarchies()
	if err != nil {
		return err
	}
	for _, h := range all {
		if err := os.Mkdir(group(h, name), 0o755); err != nil {
			return fmt.Errorf("a node needs to make cgroups: %w", err)
		}
		// A set of processors is empty at first, and takes nobody.
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

// joinGroups moves this process into a node's cgroups.
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

// mountGroups shows this mount namespace no cgroups but those below its own.
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

// delegate lets the cgroups below the root of version 2 have its controllers,
// which needs a root without processes.
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

// removeGroups ends what is left in a node's cgroups, and removes them.
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

// removeGroup says how many cgroups there are still, from this one down.
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
	text, _ := os.ReadFile(list) // without one, nobody is in it
	for _, line := range strings.Fields(string(text)) {
		if pid, err := strconv.Atoi(line); err == nil && pid > 1 {
			syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}
