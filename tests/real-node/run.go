//go:build linux

package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/vishvananda/netlink"
)

const (
	// nodeName is the name of the node.
	nodeName = "worker"
	// nodeAddress is the address of the node, and podRange has those of its pods. They are
	// documentation addresses that exist only in the network namespace.
	nodeAddress = "198.51.100.1"
	podRange    = "203.0.113.0/24"
	// readyWithin is how long each part may take to start.
	readyWithin = 120 * time.Second
)

// node is a control plane with a node, seen from inside the namespaces.
type node struct {
	options
	plugins string        // directory of the network plugins
	orders  io.Writer     // stdin of the control plane
	answers *bufio.Reader // stdout of the control plane
}

// run starts everything and forwards orders to the control plane.
func run(args []string) error {
	n := &node{options: options{dir: args[0], controlPlane: args[1], kubelet: args[2]}, plugins: args[3]}
	lines := make(chan string)
	go func() {
		for scanner := bufio.NewScanner(os.Stdin); scanner.Scan(); {
			lines <- scanner.Text()
		}
		os.Exit(0) // the parent has exited or wants this process to exit
	}()
	if err := n.start(); err != nil {
		return err
	}
	fmt.Println("ready", filepath.Join(n.dir, "kubeconfig"))
	for order := range lines {
		answer, err := n.order(order)
		if err != nil {
			return err
		}
		fmt.Print(answer)
	}
	return nil
}

func (n *node) start() error {
	for _, step := range []struct {
		what string
		do   func() error
	}{
		{"the network", network},
		{"the control plane", n.startControlPlane},
		{"the relays", n.relay},
		{"the settings", n.writeSettings},
		{"containerd", n.startRuntime},
		{"the images", n.importImages},
		{"the kubelet", n.startKubelet},
	} {
		if err := step.do(); err != nil {
			return fmt.Errorf("%s: %w", step.what, err)
		}
	}
	return nil
}

// network brings up the loopback interface and gives it the node's address. There is no other
// interface.
func network() error {
	loopback, err := netlink.LinkByName("lo")
	if err != nil {
		return err
	}
	if err := netlink.LinkSetUp(loopback); err != nil {
		return err
	}
	address, err := netlink.ParseAddr(nodeAddress + "/32")
	if err != nil {
		return err
	}
	return netlink.AddrAdd(loopback, address)
}

func (n *node) startControlPlane() error {
	command := exec.Command(n.controlPlane, "up", n.dir)
	command.Stderr = os.Stderr
	input, err := command.StdinPipe()
	if err != nil {
		return err
	}
	output, err := command.StdoutPipe()
	if err != nil {
		return err
	}
	if err := command.Start(); err != nil {
		return err
	}
	n.orders, n.answers = input, bufio.NewReader(output)
	answer, err := n.answer()
	if err == nil && !strings.HasPrefix(answer, "ready ") {
		err = errors.New(strings.TrimSpace(answer))
	}
	return err
}

func (n *node) order(order string) (string, error) {
	if _, err := fmt.Fprintln(n.orders, order); err != nil {
		return "", err
	}
	return n.answer()
}

// answer returns a line from the control plane. It removes the file of process IDs, which outside
// this namespace are those of other processes.
func (n *node) answer() (string, error) {
	line, err := n.answers.ReadString('\n')
	if err != nil {
		return "", errors.New("the control plane has ended")
	}
	err = os.Remove(filepath.Join(n.dir, "pids"))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil // not every order writes the file
	}
	return line, err
}

// relay forwards the two listening sockets outside to the API server and etcd, and writes the
// outside addresses into the files for the tests.
func (n *node) relay() error {
	env, err := os.ReadFile(filepath.Join(n.dir, "env"))
	if err != nil {
		return err
	}
	var pairs []string
	for i, variable := range []string{"API_SERVER=https://", "ETCD_ENDPOINT=http://"} {
		_, rest, _ := strings.Cut(string(env), variable)
		inside, _, _ := strings.Cut(rest, "\n")
		listener, err := net.FileListener(os.NewFile(uintptr(3+i), variable))
		if err != nil {
			return err
		}
		go passOn(listener, inside)
		pairs = append(pairs, inside, listener.Addr().String())
	}
	outside := strings.NewReplacer(pairs...)
	for _, name := range []string{"env", "kubeconfig"} {
		path := filepath.Join(n.dir, name)
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		// The kubelet and the scripts use the addresses inside.
		if err := os.WriteFile(path+".inside", text, 0o600); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(outside.Replace(string(text))), 0o600); err != nil {
			return err
		}
	}
	return nil
}

func passOn(listener net.Listener, to string) {
	for {
		from, err := listener.Accept()
		if err != nil {
			return
		}
		go func() {
			defer from.Close()
			server, err := net.Dial("tcp", to)
			if err != nil {
				return
			}
			defer server.Close()
			go func() {
				io.Copy(server, from)
				server.(*net.TCPConn).CloseWrite()
			}()
			io.Copy(from, server)
		}()
	}
}

func (n *node) startRuntime() error {
	if err := n.startPart("containerd"); err != nil {
		return err
	}
	return n.until("containerd", func() error {
		return n.quietly(ctr("version"))
	})
}

func (n *node) startKubelet() error {
	if err := n.startPart("kubelet"); err != nil {
		return err
	}
	return n.until("kubelet", func() error {
		return n.quietly(n.kubectl("wait", "--for=condition=Ready", "node/"+nodeName, "--timeout=5s"))
	})
}

// startPart starts a program of the node with the same script that tests use.
func (n *node) startPart(name string) error {
	return exec.Command("sh", n.script(name)).Start() // PID 1 reaps it
}

func (n *node) script(name string) string { return filepath.Join(n.dir, "start-"+name) }

func (n *node) kubectl(args ...string) *exec.Cmd {
	command := exec.Command(n.controlPlane, append([]string{"kubectl"}, args...)...)
	command.Env = []string{"HOME=" + n.dir, "KUBECONFIG=" + filepath.Join(n.dir, "kubeconfig.inside")}
	return command
}

// quietly runs a command and returns its output as an error if it fails.
func (n *node) quietly(command *exec.Cmd) error {
	said, err := command.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, strings.TrimSpace(string(said)))
	}
	return nil
}

// until retries until a part is up.
func (n *node) until(name string, ready func() error) error {
	for end := time.Now().Add(readyWithin); ; time.Sleep(100 * time.Millisecond) {
		err := ready()
		if err == nil {
			return nil
		}
		if time.Now().After(end) {
			return fmt.Errorf("it did not come up: %w; its log is %s", err, n.log(name))
		}
	}
}

func (n *node) log(name string) string { return filepath.Join(n.dir, "logs", name+".log") }
