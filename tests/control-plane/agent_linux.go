package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// canIsolate returns an error that says why processes cannot be isolated here.
func canIsolate() error {
	if os.Geteuid() != 0 {
		return errors.New("the agent gives each pod a network and a root folder of its own: that needs root")
	}
	network, err := newNetwork()
	if err != nil {
		return fmt.Errorf("no network can be made for a pod: %w", err)
	}
	network.close()
	return nil
}

// network is the network namespace of a pod. It has only a loopback interface, so no packet
// leaves it. Listeners inside forward connections to what the pod may reach.
type network struct {
	file *os.File // /proc/.../ns/net

	mutex     sync.Mutex
	listeners []net.Listener
}

func newNetwork() (*network, error) {
	n := &network{}
	err := onThreadOfItsOwn(func() error {
		if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
			return err
		}
		if err := loopbackUp(); err != nil {
			return err
		}
		var err error
		n.file, err = os.Open(fmt.Sprintf("/proc/self/task/%d/ns/net", unix.Gettid()))
		return err
	})
	return n, err
}

// onThreadOfItsOwn runs a task that changes its thread. The thread exits afterwards.
func onThreadOfItsOwn(task func() error) error {
	result := make(chan error)
	go func() {
		runtime.LockOSThread() // never unlocked, so the thread exits with the goroutine
		result <- task()
	}()
	return <-result
}

func loopbackUp() error {
	socket, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(socket)
	request, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	request.SetUint16(unix.IFF_UP)
	return unix.IoctlIfreq(socket, unix.SIOCSIFFLAGS, request)
}

func (n *network) inside(task func() error) error {
	return onThreadOfItsOwn(func() error {
		if err := unix.Setns(int(n.file.Fd()), unix.CLONE_NEWNET); err != nil {
			return err
		}
		return task()
	})
}

func (n *network) listen(address string) (listener net.Listener, err error) {
	err = n.inside(func() error {
		listener, err = net.Listen("tcp", address)
		return err
	})
	return listener, err
}

// dial connects to a port of the pod.
func (n *network) dial(port int) (connection net.Conn, err error) {
	err = n.inside(func() error {
		connection, err = net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		return err
	})
	return connection, err
}

// forward forwards connections of the pod to an address on this machine.
func (n *network) forward(inside, outside string) error {
	listener, err := n.listen(inside)
	if err != nil {
		return err
	}
	newForwarder(listener, func() (net.Conn, error) { return net.Dial("tcp", outside) })
	n.mutex.Lock()
	defer n.mutex.Unlock()
	n.listeners = append(n.listeners, listener)
	return nil
}

func (n *network) close() {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	for _, listener := range n.listeners {
		listener.Close()
	}
	n.listeners = nil
	n.file.Close()
}

// starter starts all processes on one thread. They die with that thread, so they die with the
// agent.
var starter = sync.OnceValue(func() chan<- func() {
	tasks := make(chan func())
	go func() {
		runtime.LockOSThread()
		for task := range tasks {
			task()
		}
	}()
	return tasks
})

// isolated starts a process through processAlone.
func isolated(spec processSpec, n *network) (*exec.Cmd, io.Reader, error) {
	text, err := spec.encoded()
	if err != nil {
		return nil, nil, err
	}
	command, err := quietCommand("process", text)
	if err != nil {
		return nil, nil, err
	}
	reader, writer, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	defer writer.Close()
	command.Stdout, command.Stderr = writer, writer
	command.ExtraFiles = []*os.File{n.file}
	command.Env = []string{}
	command.SysProcAttr = dieWithParent()
	started := make(chan error)
	starter() <- func() { started <- command.Start() }
	return command, reader, <-started
}

// processAlone becomes a pod's process, in the pod's network (file descriptor 3), with the pod's
// name as host name and only the pod's files.
func processAlone(args []string) error {
	runtime.LockOSThread()
	var spec processSpec
	if len(args) != 1 {
		return errors.New("process: expected what to run")
	}
	if err := json.Unmarshal([]byte(args[0]), &spec); err != nil {
		return err
	}
	if err := unix.Setns(3, unix.CLONE_NEWNET); err != nil {
		return fmt.Errorf("network: %w", err)
	}
	unix.Close(3)
	if err := unix.Unshare(unix.CLONE_NEWUTS); err != nil {
		return fmt.Errorf("host name: %w", err)
	}
	if err := unix.Sethostname([]byte(spec.HostName)); err != nil {
		return fmt.Errorf("host name: %w", err)
	}
	if err := unix.Chroot(spec.Root); err != nil {
		return fmt.Errorf("root folder: %w", err)
	}
	if err := os.Chdir("/"); err != nil {
		return err
	}
	return syscall.Exec(spec.Program, spec.Args, spec.Env)
}
