package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// errPortTaken: the port was free when it was chosen and is not any more.
var errPortTaken = errors.New("address already in use")

// check returns nil when a component is ready for use.
type check func(context.Context) error

// component is one program of the control plane: this binary, or the one with
// older servers, run again under another name, with a log file of its own.
type component struct {
	name  string
	args  []string
	ready check
	dir   string // its working directory and home
	log   string // the path of its log

	process *os.Process
	stdin   io.Closer     // held open as long as the component shall run
	ended   chan struct{} // closed when the process is gone
}

// start runs the component and waits until it is ready.
func (c *component) start(ctx context.Context) error {
	if err := c.spawn(); err != nil {
		return fmt.Errorf("start %s: %w", c.name, err)
	}
	return c.await(ctx)
}

// restart is start within its own time, and nothing if the component runs.
func (c *component) restart(ctx context.Context) error {
	if c.running() {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	return c.start(ctx)
}

// await polls until the component is ready, the component ends, or ctx does.
func (c *component) await(ctx context.Context) error {
	for {
		err := c.ready(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-c.ended:
			return c.failure("ended")
		case <-ctx.Done():
			return c.failure(fmt.Sprintf("did not come up (%v)", err))
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// spawn starts the process. The calling goroutine must be locked to its thread
// and outlive the component, see dieWithParent.
func (c *component) spawn() error {
	executable, err := c.program()
	if err != nil {
		return err
	}
	log, err := os.OpenFile(c.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()

	command := exec.Command(executable, append([]string{c.name}, c.args...)...)
	command.Dir = c.dir
	command.Env = c.environment()
	command.Stdout, command.Stderr = log, log
	command.SysProcAttr = dieWithParent()
	if c.stdin, err = command.StdinPipe(); err != nil {
		return err
	}
	if err := command.Start(); err != nil {
		return err
	}
	c.process, c.ended = command.Process, make(chan struct{})
	go wait(command, c.ended)
	return nil
}

// olderServers in the environment names a program that holds another version of
// the two servers of Kubernetes and is called as this one is.
const olderServers = "CONTROL_PLANE_SERVERS"

// program is what holds the component.
func (c *component) program() (string, error) {
	older := os.Getenv(olderServers)
	if older != "" && strings.HasPrefix(c.name, "kube-") {
		return older, nil
	}
	return os.Executable()
}

func wait(command *exec.Cmd, ended chan<- struct{}) {
	command.Wait() // how it ended is in its log
	close(ended)
}

// environment is made up, so that neither proxy settings nor a kubeconfig of
// the developer reach the component.
func (c *component) environment() []string {
	return []string{
		"HOME=" + c.dir,
		"PATH=" + os.Getenv("PATH"),
		endWithStdin + "=1",
		"GOGC=300", // a test machine has more memory to spare than time
	}
}

// kill ends the component and waits for it. Nothing that it holds is worth an
// orderly end, and an orderly end of the API server takes seconds.
func (c *component) kill() {
	if !c.running() {
		return
	}
	c.process.Kill()
	<-c.ended
	c.stdin.Close()
}

func (c *component) running() bool {
	if c.process == nil {
		return false
	}
	select {
	case <-c.ended:
		return false
	default:
		return true
	}
}

// failure is the error of a component that does not come up, with what it said last.
func (c *component) failure(what string) error {
	tail := lastLines(c.log, 20)
	err := fmt.Errorf("%s %s; the end of %s:\n%s", c.name, what, c.log, tail)
	if strings.Contains(tail, errPortTaken.Error()) {
		return errors.Join(errPortTaken, err)
	}
	return err
}

func lastLines(path string, count int) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return strings.Join(lines[max(0, len(lines)-count):], "\n")
}
