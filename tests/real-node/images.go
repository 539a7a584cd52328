//go:build linux

package main

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// image returns the name of an image. It is in no registry, and the node pulls none.
func image(name string) string { return "unstick.test/" + name + ":1" }

// images are the images of the node. Each has one static program, with the default command and
// arguments.
var images = map[string][]string{
	"pause":  {"/pod", "pause"},
	"pod":    {"/pod", "obey"},
	"driver": {"/driver"},
}

// importImages imports the images into containerd.
func (n *node) importImages() error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	// The driver is built in the directory of the kubelet, because it uses the kubelet's API.
	folders := map[string]string{"/pod": filepath.Dir(program), "/driver": filepath.Dir(n.kubelet)}
	for name, command := range images {
		content, err := os.ReadFile(filepath.Join(folders[command[0]], command[0]))
		if err != nil {
			return err
		}
		archive := filepath.Join(n.dir, name+".tar")
		if err := writeImage(archive, image(name), content, command); err != nil {
			return err
		}
		if err := n.quietly(ctr("--namespace", "k8s.io", "images", "import", archive)); err != nil {
			return err
		}
		if err := os.Remove(archive); err != nil {
			return err
		}
	}
	return nil
}

// ctr returns a command of containerd's own client.
func ctr(args ...string) *exec.Cmd {
	return exec.Command("/proc/self/exe", append([]string{"ctr", "--address", "/run/containerd/containerd.sock"}, args...)...)
}

// writeImage writes an image of one program in the format of "docker save".
func writeImage(path, name string, program []byte, command []string) error {
	layer, err := archiveOf(map[string][]byte{command[0][1:]: program})
	if err != nil {
		return err
	}
	config, err := json.Marshal(map[string]any{
		"architecture": runtime.GOARCH,
		"os":           "linux",
		"config":       map[string]any{"Entrypoint": command[:1], "Cmd": command[1:]},
		"rootfs":       map[string]any{"type": "layers", "diff_ids": []string{fmt.Sprintf("sha256:%x", sha256.Sum256(layer))}},
	})
	if err != nil {
		return err
	}
	manifest, err := json.Marshal([]map[string]any{
		{"Config": "config.json", "RepoTags": []string{name}, "Layers": []string{"layer.tar"}},
	})
	if err != nil {
		return err
	}
	archive, err := archiveOf(map[string][]byte{"manifest.json": manifest, "config.json": config, "layer.tar": layer})
	if err != nil {
		return err
	}
	return os.WriteFile(path, archive, 0o600)
}

func archiveOf(files map[string][]byte) ([]byte, error) {
	var archive bytes.Buffer
	writer := tar.NewWriter(&archive)
	for name, content := range files {
		if err := writer.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: int64(len(content))}); err != nil {
			return nil, err
		}
		if _, err := writer.Write(content); err != nil {
			return nil, err
		}
	}
	err := writer.Close()
	return archive.Bytes(), err
}
