//go:build linux

package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"time"
)

// goneWithin is how long the shutdown may take, because a process in a hanging mount needs time.
const goneWithin = 30 * time.Second

type options struct {
	dir, controlPlane, kubelet string
}

// upOptions parses "DIR [FLAG...]".
func upOptions(args []string) (options, error) {
	var o options
	if len(args) == 0 {
		return o, errors.New("up: expected a directory")
	}
	flags := flag.NewFlagSet("up", flag.ContinueOnError)
	flags.StringVar(&o.controlPlane, "control-plane", "", "the program of tests/control-plane")
	flags.StringVar(&o.kubelet, "kubelet", "", "the program of tests/kubelet")
	if err := flags.Parse(args[1:]); err != nil {
		return o, err
	}
	for _, program := range []*string{&o.controlPlane, &o.kubelet} {
		if !isFile(*program) {
			return o, errors.New("up: --control-plane and --kubelet must name programs")
		}
		*program, _ = filepath.Abs(*program) // fails only without a working directory
	}
	var err error
	o.dir, err = filepath.Abs(args[0])
	return o, err
}

// up runs a control plane with a node until its stdin is closed or it gets a signal.
//
// The processes are in a PID namespace whose first process dies with this one. The kernel then
// kills the others. The mount namespace and the network namespace disappear with the last
// process. Only the cgroups remain: a separate process waits until this one has exited and
// removes them.
func up(args []string) error {
	runtime.LockOSThread() // Pdeathsig refers to the thread that starts the first process
	plugins, err := check()
	if err != nil {
		return err
	}
	o, err := upOptions(args)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(o.dir, 0o700); err != nil {
		return err
	}
	name := "unstick-node-" + strconv.Itoa(os.Getpid())
	forget, err := startReaper(name)
	if err != nil {
		return err
	}
	defer forget()
	if err := makeGroups(name); err != nil {
		return err
	}
	first, err := startFirst(o, name, plugins)
	if err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- first.Wait() }()
	told := make(chan os.Signal, 1)
	signal.Notify(told, os.Interrupt, syscall.SIGTERM)
	select {
	case err = <-ended:
	case <-told:
		first.Process.Kill()
		<-ended
	}
	return err
}

// startReaper starts a process that removes the cgroups when this process exits. The returned
// function makes it do so now and waits for it.
func startReaper(name string) (func(), error) {
	reaper, err := self("reap", name)
	if err != nil {
		return nil, err
	}
	reaper.Stderr = os.Stderr
	reaper.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // gets no signals from the terminal
	life, err := reaper.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := reaper.Start(); err != nil {
		return nil, err
	}
	return func() {
		life.Close()
		reaper.Wait() // it has printed its errors
	}, nil
}

// reap waits until its stdin is closed and removes a node's cgroups.
func reap(args []string) error {
	signal.Ignore(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	io.Copy(io.Discard, os.Stdin)
	return removeGroups(args[0], goneWithin)
}

// startFirst starts the first process of the new namespaces. It passes two listening sockets of
// the outside network, by which tests reach the API server and etcd.
func startFirst(o options, name, plugins string) (*exec.Cmd, error) {
	first, err := self("enter", name, o.dir, o.controlPlane, o.kubelet, plugins)
	if err != nil {
		return nil, err
	}
	for range 2 {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		file, err := listener.(*net.TCPListener).File()
		if err != nil {
			return nil, err
		}
		first.ExtraFiles = append(first.ExtraFiles, file)
	}
	first.Stdin, first.Stdout, first.Stderr = os.Stdin, os.Stdout, os.Stderr
	first.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: syscall.CLONE_NEWPID | syscall.CLONE_NEWNS | syscall.CLONE_NEWNET | syscall.CLONE_NEWUTS |
			syscall.CLONE_NEWIPC,
		Pdeathsig: syscall.SIGKILL,
		Setpgid:   true,
	}
	if err := first.Start(); err != nil {
		return nil, fmt.Errorf("a node needs namespaces of its own, which cannot be made here: %w", err)
	}
	// Scripts need both files to enter the node: by nsenter, and into the cgroups.
	if err := os.WriteFile(filepath.Join(o.dir, "node.group"), []byte(name+"\n"), 0o600); err != nil {
		return nil, err
	}
	return first, os.WriteFile(filepath.Join(o.dir, "node.pid"), fmt.Appendln(nil, first.Process.Pid), 0o600)
}

// self returns a command that runs this program with other arguments.
func self(args ...string) (*exec.Cmd, error) {
	program, err := os.Executable()
	return exec.Command(program, args...), err
}
