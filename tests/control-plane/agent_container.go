package main

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// runsLong is how long a container must run for its back-off to start again.
const runsLong = 10 * time.Minute

// failuresToUnready is the default number of consecutive probe failures that make a ready
// container unready.
const failuresToUnready = 3

// container is a container of a pod, either a process or only reported as running.
type container struct {
	pod     *runningPod
	spec    *corev1.Container
	program string // empty if there is no process

	mutex    sync.Mutex
	process  *os.Process
	ended    chan struct{} // closed when the current process has exited
	state    corev1.ContainerState
	last     corev1.ContainerState
	restarts int32
	ready    bool
}

func newContainer(r *runningPod, spec *corev1.Container) *container {
	waiting := &corev1.ContainerStateWaiting{Reason: "ContainerCreating"}
	return &container{pod: r, spec: spec, program: r.agent.images[imageName(spec.Image)],
		state: corev1.ContainerState{Waiting: waiting}}
}

// imageName returns the last part of a repository, such as "kueue" for
// registry.k8s.io/kueue/kueue:v0.17.0.
func imageName(image string) string {
	name, _, _ := strings.Cut(path.Base(image), "@")
	name, _, _ = strings.Cut(name, ":")
	return name
}

func (c *container) status() corev1.ContainerStatus {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	started := c.state.Running != nil
	return corev1.ContainerStatus{Name: c.spec.Name, Image: c.spec.Image, ImageID: c.spec.Image, State: c.state,
		LastTerminationState: c.last, RestartCount: c.restarts, Ready: c.ready, Started: &started}
}

// run starts the process and restarts it whenever it exits.
func (c *container) run(ctx context.Context) {
	if c.program == "" {
		c.set(ctx, func() { c.state, c.ready = runningNow(), true })
		return
	}
	backOff := firstBackOff
	for ctx.Err() == nil {
		begun := time.Now()
		terminated := c.once(ctx)
		if ctx.Err() != nil {
			return
		}
		if time.Since(begun) > runsLong {
			backOff = firstBackOff
		}
		message := fmt.Sprintf("back-off %s restarting failed container=%s pod=%s_%s(%s)", backOff, c.spec.Name,
			c.pod.pod.Name, c.pod.pod.Namespace, c.pod.pod.UID)
		c.set(ctx, func() {
			c.last, c.ready, c.restarts = corev1.ContainerState{Terminated: &terminated}, false, c.restarts+1
			c.state = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff", Message: message}}
		})
		_ = pause(ctx, backOff)
		backOff = min(2*backOff, longestBackOff)
	}
}

func runningNow() corev1.ContainerState {
	return corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: metav1.Now()}}
}

// once runs the process until it exits.
func (c *container) once(ctx context.Context) corev1.ContainerStateTerminated {
	begun := metav1.Now()
	failed := func(err error) corev1.ContainerStateTerminated {
		log.Printf("%s/%s: %v", c.pod.pod.Namespace, c.pod.pod.Name, err)
		return corev1.ContainerStateTerminated{ExitCode: 128, Reason: "StartError", Message: err.Error(), StartedAt: begun, FinishedAt: metav1.Now()}
	}
	spec, err := c.processSpec(ctx)
	if err != nil {
		return failed(err)
	}
	command, output, err := isolated(spec, c.pod.network)
	if err != nil {
		return failed(err)
	}
	written := make(chan struct{})
	go c.keepLog(output, written)
	ended := make(chan struct{})
	c.mutex.Lock()
	c.process, c.ended = command.Process, ended
	c.mutex.Unlock()
	c.set(ctx, func() { c.state, c.ready = runningNow(), c.spec.ReadinessProbe == nil })
	probing, stop := context.WithCancel(ctx)
	go c.probe(probing)
	err = command.Wait()
	stop()
	<-written
	close(ended)
	return terminated(command.ProcessState, err, begun)
}

func terminated(state *os.ProcessState, err error, begun metav1.Time) corev1.ContainerStateTerminated {
	end := corev1.ContainerStateTerminated{Reason: "Completed", StartedAt: begun, FinishedAt: metav1.Now()}
	if err != nil {
		end.Reason, end.ExitCode = "Error", int32(state.ExitCode())
	}
	if status, is := state.Sys().(syscall.WaitStatus); is && status.Signaled() {
		end.ExitCode = 128 + int32(status.Signal())
	}
	return end
}

// set changes the container's state and reports it.
func (c *container) set(ctx context.Context, change func()) {
	c.mutex.Lock()
	change()
	c.mutex.Unlock()
	c.pod.report(ctx)
}

// end stops the process, and kills it after the grace period.
func (c *container) end(grace time.Duration) {
	c.mutex.Lock()
	process, ended := c.process, c.ended
	c.mutex.Unlock()
	now := metav1.Now()
	code := int32(0)
	if process != nil {
		process.Signal(syscall.SIGTERM)
		select {
		case <-ended:
		case <-time.After(grace):
			process.Kill()
			<-ended
			code = 137
		}
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.state.Running != nil {
		begun := c.state.Running.StartedAt
		c.state = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: code, Reason: "Completed",
			StartedAt: begun, FinishedAt: now}}
	}
	c.ready = false
}

// processSpec is the argument of processAlone.
type processSpec struct {
	Program  string   // path inside its root directory
	Args     []string // Args[0] is its name, which its user agent contains
	Env      []string
	Root     string // its root directory
	HostName string
}

func (c *container) processSpec(ctx context.Context) (processSpec, error) {
	env, err := c.environment(ctx)
	if err != nil {
		return processSpec{}, err
	}
	root := filepath.Join(c.pod.dir, c.spec.Name)
	args := append([]string{}, c.spec.Command...)
	if len(args) == 0 {
		args = []string{"/" + filepath.Base(c.program)}
	}
	args = append(args, c.spec.Args...)
	for i := range args {
		args[i] = expand(args[i], env)
	}
	program := "/bin/" + filepath.Base(args[0])
	if err := link(c.program, root+program); err != nil {
		return processSpec{}, err
	}
	spec := processSpec{Program: program, Args: args, Root: root, HostName: c.pod.pod.Name}
	for _, variable := range env {
		spec.Env = append(spec.Env, variable.Name+"="+variable.Value)
	}
	return spec, nil
}

// link makes a program available in a root directory. It copies the program if that is on another
// file system.
func link(program, path string) error {
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if os.Link(program, path) == nil {
		return nil
	}
	content, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	return os.WriteFile(path, content, 0o755)
}

func (p processSpec) encoded() (string, error) {
	text, err := json.Marshal(p)
	return string(text), err
}

// keepLog writes the log in the format of a container runtime. The log of the previous run is
// renamed.
func (c *container) keepLog(output io.Reader, written chan<- struct{}) {
	defer close(written)
	folder := filepath.Join(c.pod.agent.logs(), c.pod.pod.Namespace, c.pod.pod.Name)
	os.MkdirAll(folder, 0o755)
	name := filepath.Join(folder, c.spec.Name)
	os.Rename(name+".log", name+".previous.log")
	file, err := os.Create(name + ".log")
	if err != nil {
		log.Print(err)
		return
	}
	defer file.Close()
	for reader := bufio.NewReader(output); ; {
		line, err := reader.ReadString('\n')
		if line != "" {
			fmt.Fprintf(file, "%s stderr F %s\n", time.Now().UTC().Format(time.RFC3339Nano), strings.TrimSuffix(line, "\n"))
		}
		if err != nil {
			return
		}
	}
}

// probe polls whether the container is ready.
func (c *container) probe(ctx context.Context) {
	probe := c.spec.ReadinessProbe
	if probe == nil {
		return
	}
	failures := 0
	for ctx.Err() == nil {
		is := c.isReady(ctx, probe)
		c.mutex.Lock()
		was := c.ready
		c.mutex.Unlock()
		failures++
		if is {
			failures = 0
		} else if was && failures < failuresToUnready {
			_ = pause(ctx, time.Second)
			continue
		}
		if is != was && ctx.Err() == nil {
			c.set(ctx, func() { c.ready = is })
		}
		if is {
			_ = pause(ctx, 5*time.Second)
		} else {
			_ = pause(ctx, 500*time.Millisecond)
		}
	}
}

func (c *container) isReady(ctx context.Context, probe *corev1.Probe) bool {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	switch {
	case probe.HTTPGet != nil:
		get := probe.HTTPGet
		scheme := strings.ToLower(string(get.Scheme))
		if scheme == "" {
			scheme = "http"
		}
		port := c.pod.port(get.Port)
		address := fmt.Sprintf("%s://127.0.0.1:%d%s", scheme, port, get.Path)
		transport := &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
			DialContext: func(context.Context, string, string) (net.Conn, error) { return c.pod.network.dial(port) }}
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
		if err != nil {
			return false
		}
		response, err := (&http.Client{Transport: transport}).Do(request)
		if err != nil {
			return false
		}
		response.Body.Close()
		return response.StatusCode < 400
	case probe.TCPSocket != nil:
		connection, err := c.pod.network.dial(c.pod.port(probe.TCPSocket.Port))
		if err != nil {
			return false
		}
		connection.Close()
	}
	return true
}

// quietCommand returns a command that runs this program with other arguments.
func quietCommand(args ...string) (*exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return exec.Command(self, args...), nil
}
