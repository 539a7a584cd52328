package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

// looksEvery is how often the agent looks around when nothing tells it to.
const looksEvery = time.Second

// agent stands in for a node: scheduler, kubelet and kube-proxy of one. A
// container whose image it knows is a real process: with its pod's ServiceAccount,
// volumes and variables, in a root folder, a network and under a host name of its
// own. Every other container is said to run, and nothing does.
type agent struct {
	dir     string // the control plane's
	node    string
	images  map[string]string // the program of each image, by the image's name
	server  string            // HOST:PORT of the API server
	kubelet string            // HOST:PORT where it answers for logs and metrics

	client   kubernetes.Interface
	pods     corelisters.PodLister
	services corelisters.ServiceLister
	wake     chan struct{}

	mutex     sync.Mutex
	running   map[types.UID]*runningPod
	addresses int // handed out so far
	forwards  map[string]*forwarder
}

// imageFlags reads "--image NAME=PROGRAM" as often as it is given.
type imageFlags map[string]string

func (i imageFlags) String() string { return "" }

func (i imageFlags) Set(text string) error {
	name, program, found := strings.Cut(text, "=")
	if !found {
		return errors.New("expected NAME=PROGRAM")
	}
	i[name] = program
	return nil
}

// runAgent serves a node until its stdin ends.
func runAgent(args []string) error {
	a := &agent{images: map[string]string{}, wake: make(chan struct{}, 1), running: map[types.UID]*runningPod{},
		forwards: map[string]*forwarder{}}
	flags := flag.NewFlagSet("agent", flag.ContinueOnError)
	flags.StringVar(&a.dir, "plane", "", "the control plane's folder")
	flags.StringVar(&a.node, "node", "worker", "name of the node")
	flags.Var(imageFlags(a.images), "image", "NAME=PROGRAM: what a container of this image runs")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if err := canIsolate(); err != nil {
		return err
	}
	if err := a.connect(); err != nil {
		return err
	}
	ctx, end := context.WithCancel(context.Background())
	go func() {
		for range orders(os.Stdin, end) { // there are none
		}
	}()
	if err := a.begin(ctx); err != nil {
		return err
	}
	fmt.Println("ready", a.node)
	a.serve(ctx)
	a.endAll()
	return nil
}

func (a *agent) connect() error {
	config, err := clientcmd.BuildConfigFromFlags("", filepath.Join(a.dir, "kubeconfig"))
	if err != nil {
		return err
	}
	config.UserAgent, config.QPS, config.Burst = "control-plane-agent", 200, 400
	a.server = strings.TrimPrefix(config.Host, "https://")
	a.client, err = kubernetes.NewForConfig(config)
	return err
}

// begin announces the node, answers for logs, and watches pods and Services.
func (a *agent) begin(ctx context.Context) error {
	if err := os.MkdirAll(a.logs(), 0o755); err != nil {
		return err
	}
	port, err := a.answerForLogs()
	if err != nil {
		return err
	}
	a.kubelet = fmt.Sprintf("127.0.0.1:%d", port)
	if err := a.announce(ctx, port); err != nil {
		return err
	}
	factory := informers.NewSharedInformerFactory(a.client, 0)
	a.pods, a.services = factory.Core().V1().Pods().Lister(), factory.Core().V1().Services().Lister()
	for _, informer := range []cache.SharedIndexInformer{
		factory.Core().V1().Pods().Informer(), factory.Core().V1().Services().Informer(),
	} {
		_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
			AddFunc:    func(any) { a.look() },
			UpdateFunc: func(any, any) { a.look() },
			DeleteFunc: func(any) { a.look() },
		})
		if err != nil {
			return err
		}
	}
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	return nil
}

func (a *agent) logs() string { return filepath.Join(a.dir, "pod-logs") }

// answerForLogs is the part of a kubelet that the API server asks.
func (a *agent) answerForLogs() (int, error) {
	certs := filepath.Join(a.dir, "certs")
	trust, err := onlyTheAPIServer(certs)
	if err != nil {
		return 0, err
	}
	listener, port, err := listenSomewhere()
	if err != nil {
		return 0, err
	}
	k := &kubeletStandIn{dir: a.logs(), modeFile: filepath.Join(a.dir, "kubelet-mode")}
	server := &http.Server{Handler: a.withMetrics(k.handler(), trust), TLSConfig: trust, ErrorLog: silent()}
	go server.ServeTLS(listener, filepath.Join(certs, "server.crt"), filepath.Join(certs, "server.key"))
	return port, nil
}

// look has the agent look around soon.
func (a *agent) look() {
	select {
	case a.wake <- struct{}{}:
	default: // it will
	}
}

func (a *agent) serve(ctx context.Context) {
	go a.renewLease(ctx)
	for {
		a.lookAround(ctx)
		select {
		case <-ctx.Done():
			return
		case <-a.wake:
		case <-time.After(looksEvery):
		}
	}
}

// lookAround gives each pod what it is due, and each Service its forwarders.
func (a *agent) lookAround(ctx context.Context) {
	pods, err := a.pods.List(labels.Everything())
	if err != nil {
		return
	}
	there := map[types.UID]bool{}
	for _, pod := range pods {
		there[pod.UID] = true
		switch {
		case pod.Spec.NodeName == "" && pod.DeletionTimestamp == nil:
			a.schedule(ctx, pod)
		case pod.Spec.NodeName == a.node:
			a.attend(ctx, pod)
		}
	}
	a.forget(there)
	a.forwardServices()
}

// attend starts a pod or ends it.
func (a *agent) attend(ctx context.Context, pod *corev1.Pod) {
	a.mutex.Lock()
	running, known := a.running[pod.UID]
	if !known && pod.DeletionTimestamp == nil && !isOver(pod) {
		a.addresses++
		running = newRunningPod(a, pod, a.addresses)
		a.running[pod.UID] = running
		go running.run(ctx)
	}
	a.mutex.Unlock()
	switch {
	case pod.DeletionTimestamp == nil:
	case known:
		running.end(ctx, pod)
	default:
		a.confirm(ctx, pod)
	}
}

// forget ends what runs for pods that are gone.
func (a *agent) forget(there map[types.UID]bool) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	for uid, pod := range a.running {
		if !there[uid] {
			pod.kill()
			delete(a.running, uid)
		}
	}
}

func (a *agent) endAll() {
	a.forget(map[types.UID]bool{})
}

func isOver(pod *corev1.Pod) bool {
	return pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
}
