package main

import (
	"bufio"
	"io"
	"os"
)

// No process of a control plane outlives the process that started it, however that one exits. The
// portable way: the parent holds the write end of a pipe that is the child's stdin. When the
// parent exits or is killed, the kernel closes the pipe, and the child reads EOF.

// endWithStdin is an environment variable that makes a program exit when its stdin is closed.
const endWithStdin = "CONTROL_PLANE_END_WITH_STDIN"

func endWithStdinIfAsked() {
	if os.Getenv(endWithStdin) == "" {
		return
	}
	os.Unsetenv(endWithStdin) // not inherited by child processes
	go exitWithStdin()
}

func exitWithStdin() {
	io.Copy(io.Discard, os.Stdin)
	os.Exit(0)
}

// orders sends the lines of input to a channel and calls end after the last one.
func orders(input io.Reader, end func()) <-chan string {
	lines := make(chan string)
	go func() {
		defer end()
		for scanner := bufio.NewScanner(input); scanner.Scan(); {
			lines <- scanner.Text()
		}
	}()
	return lines
}
