package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The modes of a backend. Each mode breaks one thing. The mode file is read at each request, so a
// test can change the mode.
const (
	modeOK        = "ok"
	modeList403   = "list403"   // LIST is forbidden, with a message that names nothing
	modeList503   = "list503"   // LIST fails, with a message that names nothing
	modeList405   = "list405"   // neither LIST nor DELETE of a collection is allowed
	modeDelete405 = "dc405"     // DELETE of a collection is announced but not allowed
	modeNoDelete  = "nodc"      // DELETE of a collection is not announced
	modeHang      = "hang"      // LIST and the webhook never answer
	modeHTML      = "html"      // LIST returns a web page, as a proxy would
	modeNotList   = "notlist"   // LIST returns something that is not a list
	modeNoName    = "noname"    // LIST returns an object without a name
	modeEmpty     = "empty"     // discovery lists no resources
	modeDisc503   = "disc503"   // discovery fails
	modeDiscHang  = "dischang"  // discovery never answers
	modeGhost     = "ghost"     // DELETE reports success and deletes nothing
	modeDelete500 = "delete500" // DELETE fails, with a message that names nothing
	modeDiscHTML  = "dischtml"  // discovery returns a web page with status 200
	modeReadOnly  = "readonly"  // nothing can be deleted, and discovery says so
	modeDeny      = "deny"      // the webhook denies every request
	modeMutatePod = "mutatepod" // the webhook changes an immutable field of updated pods
)

// extension plays an aggregated API of any group and version in the path, and an admission
// webhook for every POST. Each namespace has one object, named "one", until it is deleted.
type extension struct {
	modeFile, resource, kind string

	mutex   sync.Mutex
	deleted map[string]bool // by namespace
}

// backend serves an extension until its stdin is closed.
func backend(args []string) error {
	e := &extension{deleted: map[string]bool{}}
	flags := flag.NewFlagSet("backend", flag.ContinueOnError)
	listen := flags.String("listen", "127.0.0.1:0", "loopback address")
	certs := flags.String("cert-dir", "", "directory with server.crt and server.key")
	flags.StringVar(&e.modeFile, "mode-file", "", "file that holds the mode")
	flags.StringVar(&e.resource, "resource", "things", "resource of the aggregated API")
	flags.StringVar(&e.kind, "kind", "Thing", "its kind")
	if err := flags.Parse(args); err != nil {
		return err
	}
	listener, err := listenOnLoopback(*listen)
	if err != nil {
		return err
	}
	go exitWithStdin()
	fmt.Println("ready", listener.Addr())
	server := &http.Server{Handler: e, ErrorLog: log.New(io.Discard, "", 0)}
	return server.ServeTLS(listener, filepath.Join(*certs, "server.crt"), filepath.Join(*certs, "server.key"))
}

func listenOnLoopback(address string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	if ip := net.ParseIP(host); ip == nil || !ip.IsLoopback() {
		return nil, errors.New("--listen wants a loopback address")
	}
	return net.Listen("tcp", address)
}

// readMode returns the mode in the file, or "ok" if there is none.
func readMode(file string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		return modeOK
	}
	return strings.TrimSpace(string(text))
}

// target is what a path below /apis names. Parts that the path does not have are empty.
type target struct {
	groupVersion, namespace, resource, name string
}

// targetOf parses /apis/GROUP/VERSION[/namespaces/NAMESPACE][/RESOURCE[/NAME]].
func targetOf(path string) target {
	words := strings.Split(strings.Trim(path, "/"), "/")
	if len(words) < 3 {
		return target{}
	}
	t := target{groupVersion: words[1] + "/" + words[2]}
	rest := words[3:]
	if len(rest) >= 2 && rest[0] == "namespaces" {
		t.namespace, rest = rest[1], rest[2:]
	}
	if len(rest) > 0 {
		t.resource = rest[0]
	}
	if len(rest) > 1 {
		t.name = rest[1]
	}
	return t
}

func (e *extension) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	mode := readMode(e.modeFile)
	if r.Method == http.MethodPost {
		// One backend plays several webhooks: /mode/MODE always has that mode.
		if own, found := strings.CutPrefix(r.URL.Path, "/mode/"); found {
			mode = own
		}
		admit(w, r, mode)
		return
	}
	t := targetOf(r.URL.Path)
	switch {
	case t.groupVersion == "":
		// The API server then falls back from aggregated discovery and OpenAPI.
		refuse(w, http.StatusNotFound, "not found")
	case t.resource == "":
		e.discover(w, r, t, mode)
	case t.resource != e.resource:
		refuse(w, http.StatusNotFound, "the server could not find the requested resource")
	case r.Method == http.MethodDelete:
		e.remove(w, t, mode)
	default:
		e.read(w, r, t, mode)
	}
}

func (e *extension) discover(w http.ResponseWriter, r *http.Request, t target, mode string) {
	if mode == modeDisc503 {
		refuse(w, http.StatusServiceUnavailable, "discovery is down")
		return
	}
	if mode == modeDiscHang {
		<-r.Context().Done()
		return
	}
	if mode == modeDiscHTML {
		webPage(w)
		return
	}
	verbs := metav1.Verbs{"get", "list", "delete", "deletecollection"}
	if mode == modeNoDelete {
		verbs = verbs[:3]
	}
	if mode == modeReadOnly {
		verbs = verbs[:2]
	}
	resources := []metav1.APIResource{{Name: e.resource, Kind: e.kind, Namespaced: true, Verbs: verbs}}
	if mode == modeEmpty {
		resources = []metav1.APIResource{}
	}
	answer(w, http.StatusOK, metav1.APIResourceList{
		TypeMeta:     metav1.TypeMeta{Kind: "APIResourceList", APIVersion: "v1"},
		GroupVersion: t.groupVersion,
		APIResources: resources,
	})
}

func (e *extension) read(w http.ResponseWriter, r *http.Request, t target, mode string) {
	switch {
	case t.name != "" && len(e.objects(t)) == 0:
		refuse(w, http.StatusNotFound, "not found")
	case t.name != "":
		answer(w, http.StatusOK, e.objects(t)[0])
	default:
		e.list(w, r, t, mode)
	}
}

func (e *extension) list(w http.ResponseWriter, r *http.Request, t target, mode string) {
	switch mode {
	case modeList403:
		refuse(w, http.StatusForbidden, "not yet ready to handle request")
	case modeList503:
		refuse(w, http.StatusServiceUnavailable, "storage backend is down")
	case modeList405:
		refuse(w, http.StatusMethodNotAllowed, "the server does not allow this method on the requested resource")
	case modeHang:
		<-r.Context().Done()
	case modeHTML:
		webPage(w)
	case modeNotList:
		answer(w, http.StatusOK, e.object(t, "one"))
	case modeNoName:
		answer(w, http.StatusOK, e.listOf(t, e.object(t, "")))
	default:
		answer(w, http.StatusOK, e.listOf(t, e.objects(t)...))
	}
}

func (e *extension) remove(w http.ResponseWriter, t target, mode string) {
	forbidden := mode == modeDelete405 || mode == modeNoDelete || mode == modeList405 || mode == modeReadOnly
	if forbidden && t.name == "" {
		refuse(w, http.StatusMethodNotAllowed, "the server does not allow this method on the requested resource")
		return
	}
	if mode == modeDelete500 {
		refuse(w, http.StatusInternalServerError, "storage backend is down")
		return
	}
	if mode == modeGhost {
		answer(w, http.StatusOK, status(metav1.StatusSuccess, http.StatusOK, ""))
		return
	}
	e.mutex.Lock()
	defer e.mutex.Unlock()
	e.deleted[t.namespace] = true
	answer(w, http.StatusOK, status(metav1.StatusSuccess, http.StatusOK, ""))
}

// objects returns the objects of one namespace. A list across all namespaces is empty.
func (e *extension) objects(t target) []metav1.PartialObjectMetadata {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if t.namespace == "" || e.deleted[t.namespace] {
		return nil
	}
	return []metav1.PartialObjectMetadata{e.object(t, "one")}
}

func (e *extension) object(t target, name string) metav1.PartialObjectMetadata {
	return metav1.PartialObjectMetadata{
		TypeMeta:   metav1.TypeMeta{Kind: e.kind, APIVersion: t.groupVersion},
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: t.namespace, UID: "1", ResourceVersion: "1"},
	}
}

func (e *extension) listOf(t target, objects ...metav1.PartialObjectMetadata) metav1.PartialObjectMetadataList {
	return metav1.PartialObjectMetadataList{
		TypeMeta: metav1.TypeMeta{Kind: e.kind + "List", APIVersion: t.groupVersion},
		ListMeta: metav1.ListMeta{ResourceVersion: "1"},
		Items:    objects,
	}
}

// webPage answers with a web page, as a proxy would.
func webPage(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/html")
	io.WriteString(w, "<html><body>Please sign in</body></html>")
}

func refuse(w http.ResponseWriter, code int, message string) {
	answer(w, code, status(metav1.StatusFailure, code, message))
}

func status(outcome string, code int, message string) metav1.Status {
	return metav1.Status{
		TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"},
		Status:   outcome, Code: int32(code), Message: message, Reason: reasons[code],
	}
}

var reasons = map[int]metav1.StatusReason{
	http.StatusForbidden:          metav1.StatusReasonForbidden,
	http.StatusNotFound:           metav1.StatusReasonNotFound,
	http.StatusMethodNotAllowed:   metav1.StatusReasonMethodNotAllowed,
	http.StatusServiceUnavailable: metav1.StatusReasonServiceUnavailable,
}

func answer(w http.ResponseWriter, code int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	json.NewEncoder(w).Encode(body) // fails only if the client is gone
}
