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

// looksEvery is how often the agent reconciles when no event wakes it.
const looksEvery = time.Second

// agent plays a node: its scheduler, kubelet and kube-proxy. A container whose image is in images
// runs as a real process with its pod's ServiceAccount, volumes and variables, and with its own
// root directory, network and host name. Every other container is only reported as running.
type agent struct {
	dir     string // directory of the control plane
	node    string
	images  map[string]string // image name to program
	server  string            // HOST:PORT of the API server
	kubelet string            // HOST:PORT that serves logs and metrics

	client   kubernetes.Interface
	pods     corelisters.PodLister
	services corelisters.ServiceLister
	wake     chan struct{}

	mutex     sync.Mutex
	running   map[types.UID]*runningPod
	addresses int // number of addresses assigned so far
	forwards  map[string]*forwarder
}

// imageFlags collects repeated "--image NAME=PROGRAM" flags.
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

// runAgent serves a node until its stdin is closed.
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
		for range orders(os.Stdin, end) { // the agent takes no orders
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

// begin registers the node, serves logs, and watches pods and Services.
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

// answerForLogs starts the part of a kubelet that the API server calls.
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

// look wakes the agent.
func (a *agent) look() {
	select {
	case a.wake <- struct{}{}:
	default: // already woken
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

// lookAround schedules pods, starts and ends those of this node, and updates the forwarders of
// Services.
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

// attend starts or ends a pod.
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

// forget kills the processes of pods that are gone.
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
