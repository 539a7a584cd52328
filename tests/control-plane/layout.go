package main

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

//go:embed audit-policy.yaml
var auditPolicy []byte

// layout has the files and addresses of one control plane.
type layout struct {
	dir   string
	ports ports
}

func (l layout) path(name string) string { return filepath.Join(l.dir, name) }
func (l layout) cert(name string) string { return filepath.Join(l.dir, "certs", name) }
func (l layout) kubeconfig() string      { return l.path("kubeconfig") }
func (l layout) server() string          { return loopbackURL("https", l.ports.apiServer) }
func (l layout) etcd() string            { return loopbackURL("http", l.ports.etcd) }
func (l layout) etcdPeer() string        { return loopbackURL("http", l.ports.etcdPeer) }

func loopbackURL(scheme string, port int) string {
	return fmt.Sprintf("%s://127.0.0.1:%d", scheme, port)
}

// prepare creates everything that does not depend on the ports. It returns an error if the
// directory already holds a control plane.
func prepare(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	err := writeCertificates(filepath.Join(dir, "certs"))
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s already holds a control plane", dir)
	}
	if err != nil {
		return fmt.Errorf("certificates: %w", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "audit-policy.yaml"), auditPolicy, 0o600); err != nil {
		return err
	}
	return os.Mkdir(filepath.Join(dir, "logs"), 0o700)
}

// wipe removes the data and logs of a failed start.
func wipe(dir string) error {
	for _, name := range []string{"etcd", "logs", "audit.log"} {
		if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return os.Mkdir(filepath.Join(dir, "logs"), 0o700)
}

// writeAddresses writes the files that contain the addresses.
func (l layout) writeAddresses() error {
	if err := l.writeKubeconfig(l.kubeconfig(), "admin"); err != nil {
		return err
	}
	manager := "kube-controller-manager"
	if err := l.writeKubeconfig(l.path(manager+".kubeconfig"), manager); err != nil {
		return err
	}
	env := fmt.Sprintf("KUBECONFIG=%s\nAPI_SERVER=%s\nETCD_ENDPOINT=%s\n", l.kubeconfig(), l.server(), l.etcd())
	return os.WriteFile(l.path("env"), []byte(env), 0o600)
}

// writeKubeconfig embeds the certificates, so that the file works in any directory.
func (l layout) writeKubeconfig(path, user string) error {
	config := clientcmdapi.NewConfig()
	config.Clusters["test"] = &clientcmdapi.Cluster{Server: l.server(), CertificateAuthority: l.cert("ca.crt")}
	config.AuthInfos[user] = &clientcmdapi.AuthInfo{ClientCertificate: l.cert(user + ".crt"), ClientKey: l.cert(user + ".key")}
	config.Contexts["test"] = &clientcmdapi.Context{Cluster: "test", AuthInfo: user}
	config.CurrentContext = "test"
	if err := clientcmdapi.FlattenConfig(config); err != nil {
		return fmt.Errorf("kubeconfig: %w", err)
	}
	return clientcmd.WriteToFile(*config, path)
}

// writePids replaces the file atomically, so that no reader sees a part of it.
func (l layout) writePids(pids map[string]int) error {
	text, err := json.MarshalIndent(pids, "", "  ")
	if err != nil {
		return err
	}
	draft := l.path("pids.new")
	if err := os.WriteFile(draft, append(text, '\n'), 0o600); err != nil {
		return err
	}
	return os.Rename(draft, l.path("pids"))
}
