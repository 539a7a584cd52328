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

// errPortTaken means that a port was taken after it had been chosen.
var errPortTaken = errors.New("address already in use")

// check returns nil when a component is ready for use.
type check func(context.Context) error

// component is one program of the control plane. It is this binary, or the one with older
// servers, run under another name with its own log file.
type component struct {
	name  string
	args  []string
	ready check
	dir   string // working directory and home
	log   string // path of the log

	process *os.Process
	stdin   io.Closer     // open for as long as the component should run
	ended   chan struct{} // closed when the process has exited
}

// start runs the component and waits until it is ready.
func (c *component) start(ctx context.Context) error {
	if err := c.spawn(); err != nil {
		return fmt.Errorf("start %s: %w", c.name, err)
	}
	return c.await(ctx)
}

// restart starts the component within startTimeout, unless it is running.
func (c *component) restart(ctx context.Context) error {
	if c.running() {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	return c.start(ctx)
}

// await polls until the component is ready, has exited, or ctx is done.
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

// spawn starts the process. The calling goroutine must be locked to its thread and outlive the
// component, see dieWithParent.
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

// olderServers is an environment variable with the path of a program that contains another
// version of kube-apiserver and kube-controller-manager and has the same command line.
const olderServers = "CONTROL_PLANE_SERVERS"

// program returns the path of the program that contains the component.
func (c *component) program() (string, error) {
	older := os.Getenv(olderServers)
	if older != "" && strings.HasPrefix(c.name, "kube-") {
		return older, nil
	}
	return os.Executable()
}

func wait(command *exec.Cmd, ended chan<- struct{}) {
	command.Wait() // the log has the error
	close(ended)
}

// environment returns a minimal environment, so that the proxy settings and the kubeconfig of the
// developer do not reach the component.
func (c *component) environment() []string {
	return []string{
		"HOME=" + c.dir,
		"PATH=" + os.Getenv("PATH"),
		endWithStdin + "=1",
		"GOGC=300", // a test machine has more memory than time
	}
}

// kill kills the component and waits for it. Nothing needs an orderly shutdown, which takes the
// API server seconds.
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

// failure returns the error of a component that does not start, with the end of its log.
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
