package main

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/apis/core/install" // needed to decode log options
)

// The modes of the kubelet stand-in, besides "ok" and "hang" of the backend.
const (
	modeError     = "error"     // every request fails
	modeForbidden = "forbidden" // the API server lacks the permission
)

// kubeletStandIn answers the requests that the API server proxies to a kubelet. It reads the logs
// from files: DIR/NAMESPACE/POD/CONTAINER.log is the log of a running container, and
// CONTAINER.previous.log that of its previous run. The files have the format of container
// runtimes, "TIME stdout F TEXT", and the kubelet's own code reads them.
type kubeletStandIn struct {
	dir, modeFile string
}

// kubelet serves a stand-in until its stdin is closed.
func kubelet(args []string) error {
	k := &kubeletStandIn{}
	flags := flag.NewFlagSet("kubelet", flag.ContinueOnError)
	listen := flags.String("listen", "127.0.0.1:0", "loopback address")
	certs := flags.String("cert-dir", "", "directory with server.crt, server.key and ca.crt")
	flags.StringVar(&k.dir, "dir", "", "directory with the logs")
	flags.StringVar(&k.modeFile, "mode-file", "", "file that holds the mode")
	if err := flags.Parse(args); err != nil {
		return err
	}
	listener, err := listenOnLoopback(*listen)
	if err != nil {
		return err
	}
	trust, err := onlyTheAPIServer(*certs)
	if err != nil {
		return err
	}
	go exitWithStdin()
	fmt.Println("ready", listener.Addr())
	server := &http.Server{Handler: k.handler(), TLSConfig: trust, ErrorLog: log.New(io.Discard, "", 0)}
	return server.ServeTLS(listener, filepath.Join(*certs, "server.crt"), filepath.Join(*certs, "server.key"))
}

// onlyTheAPIServer returns a TLS configuration that requires a client certificate of this control
// plane, as kubelets do.
func onlyTheAPIServer(certs string) (*tls.Config, error) {
	ca, err := os.ReadFile(filepath.Join(certs, "ca.crt"))
	if err != nil {
		return nil, err
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(ca)
	return &tls.Config{ClientCAs: roots, ClientAuth: tls.RequireAndVerifyClientCert}, nil
}

func (k *kubeletStandIn) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /containerLogs/{namespace}/{pod}/{container}", k.containerLogs)
	mux.HandleFunc("GET /pods", k.pods)
	mux.HandleFunc("GET /runningpods/", k.pods)
	mux.HandleFunc("GET /logs/", k.ownLog)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch readMode(k.modeFile) {
		case modeHang:
			<-r.Context().Done()
		case modeError:
			say(w, http.StatusInternalServerError, "the runtime is down")
		case modeForbidden:
			say(w, http.StatusForbidden,
				"Forbidden (user=kube-apiserver-kubelet-client, verb=get, resource=nodes, subresource(s)=[proxy])")
		default:
			mux.ServeHTTP(w, r)
		}
	})
}

// containerLogs answers like the kubelet (kubernetes/kubernetes: pkg/kubelet/server/server.go,
// pkg/kubelet/kubelet_pods.go).
func (k *kubeletStandIn) containerLogs(w http.ResponseWriter, r *http.Request) {
	namespace, pod, container := r.PathValue("namespace"), r.PathValue("pod"), r.PathValue("container")
	asked, err := logOptions(r.URL.Query())
	if err != nil {
		say(w, http.StatusBadRequest, `{"message": "Unable to decode query."}`)
		return
	}
	folder := filepath.Join(namespace, pod)
	if !filepath.IsLocal(folder) || !k.exists(folder) {
		say(w, http.StatusNotFound, fmt.Sprintf("pod %q does not exist", pod))
		return
	}
	file, absent := container+".log", "container %q in pod %q is waiting to start: ContainerCreating"
	if asked.Previous {
		file, absent = container+".previous.log", "previous terminated container %q in pod %q not found"
	}
	path := filepath.Join(folder, file)
	if !filepath.IsLocal(path) || !k.exists(path) {
		say(w, http.StatusBadRequest, fmt.Sprintf(absent, container, pod))
		return
	}
	w.Header().Set("Content-Type", "text/plain")
	if err := readLogs(r.Context(), filepath.Join(k.dir, path), asked, w); err != nil {
		io.WriteString(w, err.Error()) // the kubelet also appends the error to the log
	}
}

func logOptions(query url.Values) (*corev1.PodLogOptions, error) {
	options := &corev1.PodLogOptions{}
	err := legacyscheme.ParameterCodec.DecodeParameters(query, corev1.SchemeGroupVersion, options)
	if options.Follow {
		return nil, errors.New("nothing here grows")
	}
	return options, err
}

// ownLog answers a query for the log of the kubelet itself, DIR/kubelet.log, with the lines that
// match the pattern (kubernetes/kubernetes: pkg/kubelet/kubelet_server_journal.go).
func (k *kubeletStandIn) ownLog(w http.ResponseWriter, r *http.Request) {
	pattern, err := regexp.Compile(r.URL.Query().Get("pattern"))
	if err != nil || r.URL.Query().Get("query") != "kubelet" {
		say(w, http.StatusBadRequest, "bad query")
		return
	}
	text, _ := os.ReadFile(filepath.Join(k.dir, "kubelet.log")) // a missing file is an empty log
	w.Header().Set("Content-Type", "text/plain")
	for line := range strings.Lines(string(text)) {
		if pattern.MatchString(line) {
			io.WriteString(w, line)
		}
	}
}

// pods lists the pods that have a directory, with the containers that have a log.
func (k *kubeletStandIn) pods(w http.ResponseWriter, _ *http.Request) {
	list := corev1.PodList{TypeMeta: metav1.TypeMeta{Kind: "PodList", APIVersion: "v1"}}
	folders, _ := filepath.Glob(filepath.Join(k.dir, "*", "*")) // the pattern is valid
	for _, folder := range folders {
		list.Items = append(list.Items, podOf(folder))
	}
	answer(w, http.StatusOK, list)
}

func podOf(folder string) corev1.Pod {
	namespace := filepath.Base(filepath.Dir(folder))
	pod := corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: filepath.Base(folder)}}
	files, _ := filepath.Glob(filepath.Join(folder, "*.log"))
	for _, file := range files {
		// Names of containers have no dot, so "c.previous.log" is not a container's current log.
		if name := strings.TrimSuffix(filepath.Base(file), ".log"); !strings.Contains(name, ".") {
			pod.Spec.Containers = append(pod.Spec.Containers, corev1.Container{Name: name})
		}
	}
	return pod
}

func (k *kubeletStandIn) exists(name string) bool {
	_, err := os.Stat(filepath.Join(k.dir, name))
	return !errors.Is(err, fs.ErrNotExist)
}

// say answers in plain text, as kubelets do.
func say(w http.ResponseWriter, code int, text string) {
	w.Header().Set("Content-Type", "text/plain")
	w.WriteHeader(code)
	io.WriteString(w, text)
}
