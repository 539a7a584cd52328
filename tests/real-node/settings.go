//go:build linux

package main

import (
	_ "embed"
	"os"
	"path/filepath"
	"strings"
	"time"
)

var (
	//go:embed settings/containerd.toml
	containerdSettings string
	//go:embed settings/kubelet.yaml
	kubeletSettings string
	//go:embed settings/network.conflist
	networkSettings string
	//go:embed settings/start-containerd
	containerdScript string
	//go:embed settings/start-kubelet
	kubeletScript string
)

// aYear is longer than any test.
const aYear = 365 * 24 * time.Hour

// writeSettings writes the files that containerd and the kubelet start with.
func (n *node) writeSettings() error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	runc, err := lookUp("runc")
	if err != nil {
		return err
	}
	replace := strings.NewReplacer(
		"@DIR@", n.dir, "@NODE@", nodeName, "@ADDRESS@", nodeAddress, "@PODS@", podRange,
		"@KUBELET@", n.kubelet, "@PROGRAM@", program, "@BESIDE@", filepath.Dir(program),
		"@PLUGINS@", n.plugins, "@RUNC@", runc, "@PAUSE@", image("pause"),
	)
	for path, text := range map[string]string{
		filepath.Join(n.dir, "containerd.toml"): containerdSettings,
		filepath.Join(n.dir, "kubelet.yaml"):    kubeletSettings,
		"/run/cni/pods.conflist":                networkSettings,
		n.script("containerd"):                  containerdScript,
		n.script("kubelet"):                     kubeletScript,
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(replace.Replace(text)), 0o600); err != nil {
			return err
		}
	}
	if err := os.Mkdir("/run/static-pods", 0o755); err != nil {
		return err
	}
	if err := n.writeKubeconfig(); err != nil {
		return err
	}
	if err := n.issueServer(); err != nil {
		return err
	}
	if err := n.issueClient("node", aYear); err != nil {
		return err
	}
	if err := n.tellScripts("NODE_PROGRAM=" + program + "\n"); err != nil {
		return err
	}
	// This binding exists in Kubernetes without subjects. The node needs it because the control
	// plane has no node authorizer.
	return n.quietly(n.kubectl("patch", "clusterrolebinding", "system:node", "--type=merge", "-p",
		`{"subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "Group", "name": "system:nodes"}]}`))
}

// tellScripts adds a variable to the file that scripts of tests read.
func (n *node) tellScripts(line string) error {
	file, err := os.OpenFile(filepath.Join(n.dir, "env"), os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = file.WriteString(line)
	return err
}

// writeKubeconfig writes the kubeconfig of the kubelet. It names the file of the certificate,
// which a test may replace.
func (n *node) writeKubeconfig() error {
	server, err := os.ReadFile(filepath.Join(n.dir, "env.inside"))
	if err != nil {
		return err
	}
	_, rest, _ := strings.Cut(string(server), "API_SERVER=")
	address, _, _ := strings.Cut(rest, "\n")
	text := `{"apiVersion": "v1", "kind": "Config", "current-context": "node",
 "clusters": [{"name": "test", "cluster": {"server": "` + address + `", "certificate-authority": "` + n.cert("ca.crt") + `"}}],
 "users": [{"name": "node", "user": {"client-certificate": "` + n.cert("node.pem") + `", "client-key": "` + n.cert("node.pem") + `"}}],
 "contexts": [{"name": "node", "context": {"cluster": "test", "user": "node"}}]}
`
	return os.WriteFile(filepath.Join(n.dir, "kubelet.kubeconfig"), []byte(text), 0o600)
}

func (n *node) cert(name string) string { return filepath.Join(n.dir, "certs", name) }
