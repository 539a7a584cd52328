package main

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/kubernetes/pkg/fieldpath"
)

// accountFolder is where programs in a pod find their ServiceAccount.
const accountFolder = "/var/run/secrets/kubernetes.io/serviceaccount"

// writeFiles creates the root directory of each container that is a process.
func (r *runningPod) writeFiles(ctx context.Context) error {
	token, err := r.token(ctx)
	if err != nil {
		return err
	}
	ca, err := os.ReadFile(filepath.Join(r.agent.dir, "certs", "ca.crt"))
	if err != nil {
		return err
	}
	for _, root := range r.roots() {
		files := map[string][]byte{
			accountFolder + "/token":     []byte(token),
			accountFolder + "/ca.crt":    ca,
			accountFolder + "/namespace": []byte(r.pod.Namespace),
			// There is no name server: only names in /etc/hosts resolve.
			"/etc/resolv.conf": []byte("nameserver 127.0.0.1\noptions timeout:1 attempts:1\n"),
			"/etc/passwd":      []byte("root:x:0:0:root:/root:/sbin/nologin\n"),
		}
		for path, content := range files {
			if err := writeWhere(root+path, content); err != nil {
				return err
			}
		}
		if err := os.MkdirAll(root+"/tmp", 0o777); err != nil {
			return err
		}
	}
	return r.writeVolumes(ctx)
}

func (r *runningPod) roots() []string {
	var roots []string
	for _, container := range r.containers {
		if container.program != "" {
			roots = append(roots, filepath.Join(r.dir, container.spec.Name))
		}
	}
	return roots
}

func (r *runningPod) token(ctx context.Context) (string, error) {
	hour := int64(3600)
	request := &authenticationv1.TokenRequest{Spec: authenticationv1.TokenRequestSpec{ExpirationSeconds: &hour}}
	account := r.pod.Spec.ServiceAccountName
	if account != "" {
		request.Spec.BoundObjectRef = &authenticationv1.BoundObjectReference{Kind: "Pod", APIVersion: "v1", Name: r.pod.Name, UID: r.pod.UID}
	} else {
		account = "default" // the disabled ServiceAccount admission plugin would have set it
	}
	answer, err := r.agent.client.CoreV1().ServiceAccounts(r.pod.Namespace).
		CreateToken(ctx, account, request, metav1.CreateOptions{})
	if err != nil {
		return "", err
	}
	return answer.Status.Token, nil
}

// writeVolumes writes the ConfigMaps and Secrets of the pod to the mount paths of its containers.
func (r *runningPod) writeVolumes(ctx context.Context) error {
	if err := r.writeHosts(); err != nil {
		return err
	}
	volumes := map[string]map[string][]byte{}
	for _, volume := range r.pod.Spec.Volumes {
		files, err := r.content(ctx, volume.VolumeSource)
		if err != nil {
			return err
		}
		volumes[volume.Name] = files
	}
	for _, container := range r.containers {
		root := filepath.Join(r.dir, container.spec.Name)
		for _, mount := range container.spec.VolumeMounts {
			if err := writeMount(root, mount, volumes[mount.Name]); err != nil {
				return err
			}
		}
	}
	return nil
}

func writeMount(root string, mount corev1.VolumeMount, files map[string][]byte) error {
	if mount.SubPath != "" {
		if content, found := files[mount.SubPath]; found {
			return writeWhere(root+mount.MountPath, content)
		}
	}
	if err := os.MkdirAll(root+mount.MountPath, 0o777); err != nil {
		return err
	}
	for name, content := range files {
		if err := writeWhere(filepath.Join(root+mount.MountPath, name), content); err != nil {
			return err
		}
	}
	return nil
}

// content returns the files of a volume. It is nil for an empty directory.
func (r *runningPod) content(ctx context.Context, source corev1.VolumeSource) (map[string][]byte, error) {
	switch {
	case source.ConfigMap != nil:
		return r.configMap(ctx, source.ConfigMap.Name, source.ConfigMap.Items, source.ConfigMap.Optional)
	case source.Secret != nil:
		return r.secret(ctx, source.Secret.SecretName, source.Secret.Items, source.Secret.Optional)
	}
	return nil, nil
}

func (r *runningPod) configMap(ctx context.Context, name string, items []corev1.KeyToPath, optional *bool) (map[string][]byte, error) {
	found, err := r.agent.client.CoreV1().ConfigMaps(r.pod.Namespace).Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return nil, unlessOptional(err, optional)
	}
	data := maps.Clone(found.BinaryData)
	if data == nil {
		data = map[string][]byte{}
	}
	for key, value := range found.Data {
		data[key] = []byte(value)
	}
	return picked(data, items), nil
}

func (r *runningPod) secret(ctx context.Context, name string, items []corev1.KeyToPath, optional *bool) (map[string][]byte, error) {
	found, err := r.agent.client.CoreV1().Secrets(r.pod.Namespace).Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return nil, unlessOptional(err, optional)
	}
	return picked(found.Data, items), nil
}

func unlessOptional(err error, optional *bool) error {
	if optional != nil && *optional {
		return nil
	}
	return err
}

func picked(data map[string][]byte, items []corev1.KeyToPath) map[string][]byte {
	if len(items) == 0 {
		return data
	}
	files := map[string][]byte{}
	for _, item := range items {
		if content, found := data[item.Key]; found {
			files[item.Path] = content
		}
	}
	return files
}

// writeHosts writes the names of all Services to /etc/hosts, in place of the cluster's DNS.
func (r *runningPod) writeHosts() error {
	services, err := r.agent.services.List(labels.Everything())
	if err != nil {
		return err
	}
	lines := []string{"127.0.0.1 localhost " + r.pod.Name}
	for _, service := range services {
		if address := service.Spec.ClusterIP; address != "" && address != corev1.ClusterIPNone {
			name := service.Name + "." + service.Namespace
			lines = append(lines, fmt.Sprintf("%s %s %s.svc %s.svc.cluster.local %s.svc.cluster.local.",
				address, name, name, name, name))
		}
	}
	slices.Sort(lines[1:])
	for _, root := range r.roots() {
		if err := writeWhere(root+"/etc/hosts", []byte(strings.Join(lines, "\n")+"\n")); err != nil {
			return err
		}
	}
	return nil
}

// writeWhere writes a file and its directories unless the file already has this content.
func writeWhere(path string, content []byte) error {
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, content) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, content, 0o644)
}

// environment returns the container's variables, with references to other variables expanded.
func (c *container) environment(ctx context.Context) ([]corev1.EnvVar, error) {
	host, port, _ := strings.Cut(c.pod.agent.server, ":")
	env := []corev1.EnvVar{
		{Name: "PATH", Value: "/usr/local/bin:/usr/bin:/bin"}, {Name: "HOSTNAME", Value: c.pod.pod.Name},
		{Name: "HOME", Value: "/tmp"},
		{Name: "KUBERNETES_SERVICE_HOST", Value: host}, {Name: "KUBERNETES_SERVICE_PORT", Value: port},
	}
	for _, variable := range c.spec.Env {
		value, err := c.pod.value(ctx, variable, env)
		if err != nil {
			return nil, err
		}
		env = append(env, corev1.EnvVar{Name: variable.Name, Value: value})
	}
	return env, nil
}

func (r *runningPod) value(ctx context.Context, variable corev1.EnvVar, before []corev1.EnvVar) (string, error) {
	from := variable.ValueFrom
	switch {
	case from == nil:
		return expand(variable.Value, before), nil
	case from.FieldRef != nil:
		return r.field(from.FieldRef.FieldPath)
	case from.ConfigMapKeyRef != nil:
		data, err := r.configMap(ctx, from.ConfigMapKeyRef.Name, nil, from.ConfigMapKeyRef.Optional)
		return string(data[from.ConfigMapKeyRef.Key]), err
	case from.SecretKeyRef != nil:
		data, err := r.secret(ctx, from.SecretKeyRef.Name, nil, from.SecretKeyRef.Optional)
		return string(data[from.SecretKeyRef.Key]), err
	}
	return "", nil // a resource limit: there is none
}

func (r *runningPod) field(path string) (string, error) {
	switch path {
	case "spec.nodeName":
		return r.agent.node, nil
	case "spec.serviceAccountName":
		return r.pod.Spec.ServiceAccountName, nil
	case "status.podIP", "status.podIPs":
		return r.address, nil
	case "status.hostIP":
		return "127.0.0.1", nil
	}
	return fieldpath.ExtractFieldPathAsString(r.pod, path)
}

var reference = regexp.MustCompile(`\$\(([A-Za-z_][A-Za-z0-9_]*)\)`)

// expand replaces $(NAME) with the value of the last variable of that name.
func expand(text string, env []corev1.EnvVar) string {
	return reference.ReplaceAllStringFunc(text, func(found string) string {
		for _, variable := range slices.Backward(env) {
			if found == "$("+variable.Name+")" {
				return variable.Value
			}
		}
		return found
	})
}
