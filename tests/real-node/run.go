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
	// nodeName is what the node is called.
	nodeName = "worker"
	// nodeAddress is the node's own, and podRange holds those of its pods: addresses
	// for documentation, which exist in the network namespace alone.
	nodeAddress = "198.51.100.1"
	podRange    = "203.0.113.0/24"
	// readyWithin is how long each part may take to come up.
	readyWithin = 120 * time.Second
)

// node is a control plane with a node, seen from within the namespaces.
type node struct {
	options
	plugins string        // the folder of the network plugins
	orders  io.Writer     // to the control plane
	answers *bufio.Reader // from it
}

// run starts everything and passes orders on to the control plane.
func run(args []string) error {
	n := &node{options: options{dir: args[0], controlPlane: args[1], kubelet: args[2]}, plugins: args[3]}
	lines := make(chan string)
	go func() {
		for scanner := bufio.NewScanner(os.Stdin); scanner.Scan(); {
			lines <- scanner.Text()
		}
		os.Exit(0) // whoever has started this is gone, or wants its end
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

// network brings up the loopback interface and gives it the node's address: there
// is no other way in or out.
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

// answer is a line of the control plane's. The ids of its processes are taken away:
// out there these belong to others.
func (n *node) answer() (string, error) {
	line, err := n.answers.ReadString('\n')
	if err != nil {
		return "", errors.New("the control plane has ended")
	}
	err = os.Remove(filepath.Join(n.dir, "pids"))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil // not every order writes it
	}
	return line, err
}

// relay lets the tests reach the API server and etcd at the two sockets that listen
// outside, and puts these addresses into the files for the tests.
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
		// The kubelet's and the scripts' own way is the shorter one.
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

// startPart starts a program of the node by the script that tests use, too.
func (n *node) startPart(name string) error {
	return exec.Command("sh", n.script(name)).Start() // the first process buries it
}

func (n *node) script(name string) string { return filepath.Join(n.dir, "start-"+name) }

func (n *node) kubectl(args ...string) *exec.Cmd {
	command := exec.Command(n.controlPlane, append([]string{"kubectl"}, args...)...)
	command.Env = []string{"HOME=" + n.dir, "KUBECONFIG=" + filepath.Join(n.dir, "kubeconfig.inside")}
	return command
}

// quietly runs a command and returns what it said when it failed.
func (n *node) quietly(command *exec.Cmd) error {
	said, err := command.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, strings.TrimSpace(string(said)))
	}
	return nil
}

// until tries again until a part is up.
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
