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

// ownUserAgent tells the requests of this program apart in the audit log.
const ownUserAgent = "control-plane-up"

// etcdReady asks who answers: the port may belong to another etcd by now.
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

// etcdName is not used twice on one machine at a time.
func (l layout) etcdName() string {
	return fmt.Sprintf("etcd-%d", os.Getpid())
}

// apiServerReady says whether the API server takes requests.
func (l layout) apiServerReady(client *http.Client) check {
	return l.answers(client, "/readyz")
}

// namespacesReady says whether the controllers run: a namespace that is created
// before its controller works would miss its ConfigMap.
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

// adminClient trusts and is trusted by this control plane only.
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
