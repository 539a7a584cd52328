//go:build linux

// Command real-node is a real Kubernetes node with a real control plane, for tests.
//
// "up DIR" runs the control plane of tests/control-plane, containerd and the kubelet in their own
// namespaces. They cannot reach other machines, and all of them end with the command, however it
// exits. This program also contains containerd and its client. The README lists the guarantees.
package main

import (
	"fmt"
	"os"

	"github.com/containerd/containerd/v2/cmd/containerd/command"
	"github.com/containerd/containerd/v2/cmd/ctr/app"

	_ "github.com/containerd/containerd/v2/cmd/containerd/builtins"
)

const usage = `usage:
  node up DIR --control-plane PROGRAM --kubelet PROGRAM
  node certificate DIR NAME SECONDS
  node containerd|ctr ARGS...
`

// commands maps the first argument to a command, which gets the other arguments. The last four are
// the parts of "up".
var commands = map[string]func(args []string) error{
	"up":          up,
	"certificate": certificate,
	"containerd":  func([]string) error { return command.App().Run(os.Args[1:]) },
	"ctr":         func([]string) error { return app.New().Run(os.Args[1:]) },
	"enter":       enter,
	"init":        initialize,
	"run":         run,
	"reap":        reap,
}

func main() {
	if len(os.Args) < 2 || commands[os.Args[1]] == nil {
		fmt.Fprint(os.Stderr, usage)
		os.Exit(2)
	}
	if err := commands[os.Args[1]](os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "node:", err)
		os.Exit(1)
	}
}
