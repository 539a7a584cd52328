package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
)

// Restoring etcd makes a used control plane like new. That takes a second, and a start needs
// three seconds of CPU time. The servers and controllers see each change like any other. They
// also keep state in memory, so a test that breaks one of them starts its own control plane.

// memory is the content of etcd and the discovery of a control plane that no test has used yet.
type memory struct {
	rows rows
	// discovery is the list of served API groups.
	discovery []byte
}

// rows maps the keys of etcd to their values.
type rows map[string][]byte

const (
	// registry is the prefix of the API server's keys.
	registry = "/registry/"
	// quiet is how long etcd must not change to count as settled.
	quiet = time.Second
	// look is the pause between two reads of etcd.
	look = 100 * time.Millisecond
	// nodeMonitorPeriod is how long the node lifecycle controller remembers a deleted Node (its
	// --node-monitor-period).
	nodeMonitorPeriod = 5 * time.Second
	// resetTimeout is how long a reset may take.
	resetTimeout = 60 * time.Second
)

// selfKept are prefixes of keys that the servers update on their own: the leases of API servers,
// and the allocated addresses and ports.
var selfKept = []string{registry + "leases/kube-system/apiserver-", registry + "ranges/"}

// remember waits until the control plane has settled and saves its state.
func (p *plane) remember(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, resetTimeout)
	defer cancel()
	client, err := etcdClient(p.etcd())
	if err != nil {
		return err
	}
	defer client.Close()
	settled, err := settledRows(ctx, client)
	if err != nil {
		return err
	}
	discovery, err := p.groups(ctx)
	if err != nil {
		return err
	}
	p.memory = &memory{rows: settled, discovery: discovery}
	return nil
}

// reset restores the saved state and waits until the API server serves the saved API groups.
func (p *plane) reset(ctx context.Context) error {
	if p.memory == nil {
		return errors.New("nothing was remembered")
	}
	for _, component := range p.components {
		if !component.running() {
			return fmt.Errorf("%s does not run", component.name)
		}
	}
	ctx, cancel := context.WithTimeout(ctx, resetTimeout)
	defer cancel()
	client, err := etcdClient(p.etcd())
	if err != nil {
		return err
	}
	defer client.Close()
	hadNodes, err := p.memory.putBackUntilQuiet(ctx, client)
	if err != nil {
		return err
	}
	if hadNodes {
		if err := pause(ctx, nodeMonitorPeriod); err != nil {
			return err
		}
	}
	return p.awaitDiscovery(ctx)
}

// settledRows reads etcd after nothing has changed for a while.
func settledRows(ctx context.Context, client *clientv3.Client) (rows, error) {
	last, err := readRows(ctx, client)
	if err != nil {
		return nil, err
	}
	for since := time.Now(); time.Since(since) < quiet; {
		if err := pause(ctx, look); err != nil {
			return nil, err
		}
		now, err := readRows(ctx, client)
		if err != nil {
			return nil, err
		}
		if len(last.editsTo(now)) > 0 {
			since = time.Now()
		}
		last = now
	}
	return last, nil
}

// putBackUntilQuiet restores the rows until no controller changes them any more. hadNodes reports
// whether it changed Nodes.
func (m *memory) putBackUntilQuiet(ctx context.Context, client *clientv3.Client) (hadNodes bool, err error) {
	for since := time.Now(); time.Since(since) < quiet; {
		now, err := readRows(ctx, client)
		if err != nil {
			return hadNodes, err
		}
		edits := now.editsTo(m.rows)
		if len(edits) > 0 {
			since = time.Now()
		}
		for _, edit := range edits {
			hadNodes = hadNodes || strings.HasPrefix(edit.key, registry+"minions/")
			if err := edit.make(ctx, client); err != nil {
				return hadNodes, err
			}
		}
		if err := pause(ctx, look); err != nil {
			return hadNodes, err
		}
	}
	return hadNodes, nil
}

// edit sets the value of a key, or deletes the key if the value is nil.
type edit struct {
	key   string
	value []byte
}

func (e edit) make(ctx context.Context, client *clientv3.Client) error {
	var err error
	if e.value == nil {
		_, err = client.Delete(ctx, e.key)
	} else {
		_, err = client.Put(ctx, e.key, string(e.value))
	}
	return err
}

// editsTo returns the edits that turn r into wanted. Definitions come last, because their objects
// must be deleted before them.
func (r rows) editsTo(wanted rows) []edit {
	var first, last []edit
	for key := range r {
		switch _, stays := wanted[key]; {
		case stays:
		case strings.HasPrefix(key, registry+"apiextensions.k8s.io/"):
			last = append(last, edit{key: key})
		default:
			first = append(first, edit{key: key})
		}
	}
	for key, value := range wanted {
		if !bytes.Equal(r[key], value) {
			first = append(first, edit{key, value})
		}
	}
	return append(first, last...)
}

func readRows(ctx context.Context, client *clientv3.Client) (rows, error) {
	found, err := client.Get(ctx, registry, clientv3.WithPrefix())
	if err != nil {
		return nil, err
	}
	read := make(rows, len(found.Kvs))
	for _, row := range found.Kvs {
		if key := string(row.Key); !isSelfKept(key) {
			read[key] = row.Value
		}
	}
	return read, nil
}

func isSelfKept(key string) bool {
	for _, prefix := range selfKept {
		if strings.HasPrefix(key, prefix) {
			return true
		}
	}
	return false
}

// awaitDiscovery waits until exactly the saved API groups are served.
func (p *plane) awaitDiscovery(ctx context.Context) error {
	for {
		groups, err := p.groups(ctx)
		if err == nil && bytes.Equal(groups, p.memory.discovery) {
			return nil
		}
		if paused := pause(ctx, look); paused != nil {
			return errors.Join(errors.New("the API server does not serve what it served at first"), err)
		}
	}
}

// groups returns the API server's list of served API groups.
func (p *plane) groups(ctx context.Context) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, p.server()+"/apis", nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("User-Agent", ownUserAgent)
	response, err := p.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("GET /apis: %s", response.Status)
	}
	return io.ReadAll(response.Body)
}

func pause(ctx context.Context, length time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(length):
		return nil
	}
}
