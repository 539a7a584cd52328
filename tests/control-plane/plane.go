package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
)

// plane is a control plane. Its components are in the order in which they start.
type plane struct {
	layout
	client     *http.Client
	components []*component
	memory     *memory // nil before the order "remember"
}

func newPlane(l layout, o options) (*plane, error) {
	client, err := l.adminClient()
	if err != nil {
		return nil, err
	}
	components := []*component{
		l.component("etcd", l.etcdArgs(), l.etcdReady),
		l.component("kube-apiserver", l.apiServerArgs(), l.apiServerReady(client)),
	}
	if !o.withoutControllerManager {
		manager := l.component("kube-controller-manager", l.controllerManagerArgs(), l.namespacesReady(client))
		components = append(components, manager)
	}
	return &plane{layout: l, client: client, components: components}, nil
}

func (l layout) component(name string, args []string, ready check) *component {
	return &component{name: name, args: args, ready: ready, dir: l.dir, log: l.path("logs/" + name + ".log")}
}

// start starts each component when the previous one is ready: the controller manager exits if the
// API server does not answer within ten seconds.
func (p *plane) start(ctx context.Context) error {
	for _, component := range p.components {
		if err := component.start(ctx); err != nil {
			return err
		}
	}
	return p.recordPids()
}

// kill kills all components in reverse order.
func (p *plane) kill() {
	for _, component := range slices.Backward(p.components) {
		component.kill()
	}
}

// obey carries out orders, one per line, and prints one line for each, until ctx is done.
func (p *plane) obey(ctx context.Context, orders <-chan string) {
	for {
		select {
		case <-ctx.Done():
			return
		case order := <-orders:
			if err := p.carryOut(ctx, order); err != nil {
				fmt.Println("failed:", strings.ReplaceAll(err.Error(), "\n", " | "))
			} else {
				fmt.Println("done", order)
			}
		}
	}
}

// carryOut stops or starts a component ("stop NAME", "start NAME"), or saves and restores etcd
// ("remember", "reset").
func (p *plane) carryOut(ctx context.Context, order string) error {
	switch order {
	case "remember":
		return p.remember(ctx)
	case "reset":
		return p.reset(ctx)
	}
	verb, name, _ := strings.Cut(order, " ")
	component, err := p.find(name)
	if err != nil {
		return err
	}
	switch verb {
	case "stop":
		component.kill()
	case "start":
		if err := component.restart(ctx); err != nil {
			return err
		}
	default:
		return fmt.Errorf("unknown order %q", order)
	}
	return p.recordPids()
}

func (p *plane) find(name string) (*component, error) {
	for _, component := range p.components {
		if component.name == name {
			return component, nil
		}
	}
	return nil, fmt.Errorf("there is no component %q", name)
}

// recordPids writes the process IDs of the running components.
func (p *plane) recordPids() error {
	pids := map[string]int{"up": os.Getpid()}
	for _, component := range p.components {
		if component.running() {
			pids[component.name] = component.process.Pid
		}
	}
	return p.writePids(pids)
}
