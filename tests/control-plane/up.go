package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"
	"time"
)

// startTimeout is how long the start may take.
const startTimeout = 120 * time.Second

type options struct {
	dir                      string
	withoutControllerManager bool
}

// up runs a control plane until it gets SIGINT or SIGTERM, or until its stdin is closed. That
// happens when the parent that holds the pipe exits.
func up(args []string) error {
	// The components die with the thread that starts them. It must be this one, which lives as
	// long as the process.
	runtime.LockOSThread()

	options, err := upOptions(args)
	if err != nil {
		return err
	}
	ctx, end := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer end()
	orders := orders(os.Stdin, end)

	plane, err := start(ctx, options)
	if err != nil {
		if ctx.Err() != nil {
			return nil // stopped before it was up, which is no failure
		}
		return err
	}
	defer plane.kill()
	fmt.Println("ready", plane.kubeconfig())
	plane.obey(ctx, orders)
	return nil
}

// upOptions parses "DIR [FLAG...]". Flags may be before or after the directory.
func upOptions(args []string) (options, error) {
	var o options
	flags := flag.NewFlagSet("up", flag.ContinueOnError)
	flags.BoolVar(&o.withoutControllerManager, "without-controller-manager", false, "run etcd and the API server only")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() == 0 {
		return o, errors.New("up: expected a directory")
	}
	dir, rest := flags.Arg(0), flags.Args()[1:]
	if err := flags.Parse(rest); err != nil {
		return o, err
	}
	var err error
	o.dir, err = filepath.Abs(dir)
	return o, err
}

// start starts a control plane. It tries again with other ports if another program took one of
// them.
func start(ctx context.Context, o options) (*plane, error) {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	if err := prepare(o.dir); err != nil {
		return nil, err
	}
	for {
		plane, err := startOnce(ctx, o)
		if !errors.Is(err, errPortTaken) {
			return plane, err
		}
		if err := wipe(o.dir); err != nil {
			return nil, err
		}
	}
}

func startOnce(ctx context.Context, o options) (*plane, error) {
	ports, err := choosePorts()
	if err != nil {
		return nil, err
	}
	layout := layout{dir: o.dir, ports: ports}
	if err := layout.writeAddresses(); err != nil {
		return nil, err
	}
	plane, err := newPlane(layout, o)
	if err != nil {
		return nil, err
	}
	if err := plane.start(ctx); err != nil {
		plane.kill()
		return nil, err
	}
	return plane, nil
}
