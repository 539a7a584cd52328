package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"os"
	"time"
)

// ownUserAgent identifies the requests of this program in the audit log.
const ownUserAgent = "control-plane-up"

// etcdReady checks the name of the etcd that answers, because another etcd may have taken the
// port.
func (l layout) etcdReady(ctx context.Context) error {
	client, err := etcdClient(l.etcd())
	if err != nil {
		return err
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	members, err := client.MemberList(ctx)
	if err != nil {
		return err
	}
	if len(members.Members) != 1 || members.Members[0].Name != l.etcdName() {
		return errors.New("another etcd answers")
	}
	return nil
}

// etcdName returns a name that is unique on this machine.
func (l layout) etcdName() string {
	return fmt.Sprintf("etcd-%d", os.Getpid())
}

// apiServerReady checks whether the API server accepts requests.
func (l layout) apiServerReady(client *http.Client) check {
	return l.answers(client, "/readyz")
}

// namespacesReady checks whether the controllers run. A namespace that is created before they run
// has no root certificate yet.
func (l layout) namespacesReady(client *http.Client) check {
	return l.answers(client, "/api/v1/namespaces/default/configmaps/kube-root-ca.crt")
}

func (l layout) answers(client *http.Client, path string) check {
	return func(ctx context.Context) error {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, l.server()+path, nil)
		if err != nil {
			return err
		}
		request.Header.Set("User-Agent", ownUserAgent)
		response, err := client.Do(request)
		if err != nil {
			return err
		}
		defer response.Body.Close()
		if response.StatusCode != http.StatusOK {
			return fmt.Errorf("GET %s: %s", path, response.Status)
		}
		return nil
	}
}

// adminClient returns an administrator's client of this control plane. It trusts no other.
func (l layout) adminClient() (*http.Client, error) {
	pair, err := tls.LoadX509KeyPair(l.cert("admin.crt"), l.cert("admin.key"))
	if err != nil {
		return nil, err
	}
	ca, err := os.ReadFile(l.cert("ca.crt"))
	if err != nil {
		return nil, err
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(ca)
	config := &tls.Config{RootCAs: roots, Certificates: []tls.Certificate{pair}}
	return &http.Client{
		Transport: &http.Transport{TLSClientConfig: config, DisableKeepAlives: true},
		Timeout:   5 * time.Second,
	}, nil
}
