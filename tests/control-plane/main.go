// Command control-plane is a disposable Kubernetes control plane for tests.
//
// One binary contains the real etcd, kube-apiserver, kube-controller-manager and kubectl.
// "control-plane up DIR" runs the first three as its children, on loopback only, and writes all
// files below DIR. The other commands run one of these programs, read and write etcd, or play a
// broken API extension, a kubelet or a node. The README lists the guarantees.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

const usage = `usage:
  control-plane up DIR [--without-controller-manager]
  control-plane etcd|kube-apiserver|kube-controller-manager|kubectl ARGS...
  control-plane etcd-get PREFIX --endpoint URL
  control-plane etcd-put KEY VALUE --endpoint URL
  control-plane backend --listen 127.0.0.1:PORT --mode-file FILE --cert-dir DIR
  control-plane kubelet --dir DIR --cert-dir DIR [--listen 127.0.0.1:PORT] [--mode-file FILE]
  control-plane agent --plane DIR [--node NAME] [--image NAME=PROGRAM]...
`

// commands maps the first argument to a command. A command gets the other arguments and returns
// the exit code.
var commands = map[string]func(args []string) int{
	"up":                      reporting(up),
	"etcd":                    etcd,
	"kube-apiserver":          kubeAPIServer,
	"kube-controller-manager": kubeControllerManager,
	"kubectl":                 kubectl,
	"etcd-get":                reporting(etcdGet),
	"etcd-put":                reporting(etcdPut),
	"backend":                 reporting(backend),
	"kubelet":                 reporting(kubelet),
	"agent":                   reporting(runAgent),
	"process":                 reporting(processAlone), // started by the agent
}

func main() {
	endWithStdinIfAsked()
	// The programs read os.Args themselves and expect their own name first.
	if !calledAsKubectl(os.Args[0]) {
		os.Args = os.Args[1:]
	} else {
		os.Args[0] = "kubectl"
	}
	os.Exit(run(os.Args))
}

func run(args []string) int {
	if len(args) == 0 {
		fmt.Fprint(os.Stderr, usage)
		return 2
	}
	command, known := commands[args[0]]
	if !known {
		fmt.Fprint(os.Stderr, usage)
		return 2
	}
	return command(args[1:])
}

// calledAsKubectl reports whether this binary runs under the name kubectl, as a copy or a link.
// Put first on PATH, it is a real kubectl.
func calledAsKubectl(program string) bool {
	return strings.TrimSuffix(filepath.Base(program), ".exe") == "kubectl"
}

// reporting turns a function that returns an error into a command.
func reporting(command func(args []string) error) func(args []string) int {
	return func(args []string) int {
		if err := command(args); err != nil {
			fmt.Fprintln(os.Stderr, "control-plane:", err)
			return 1
		}
		return 0
	}
}
