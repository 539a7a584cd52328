package main

import (
	"bufio"
	"io"
	"os"
)

// No process of a control plane outlives the one that started it, however that
// one ends. The portable way: the parent holds the write end of a pipe that is
// the child's stdin. When the parent is gone, killed or not, the kernel closes
// the pipe, and the child sees the end of its input.

// endWithStdin in the environment asks a program to end when its stdin does.
const endWithStdin = "CONTROL_PLANE_END_WITH_STDIN"

func endWithStdinIfAsked() {
	if os.Getenv(endWithStdin) == "" {
		return
	}
	os.Unsetenv(endWithStdin) // what this program starts is its own affair
	go exitWithStdin()
}

func exitWithStdin() {
	io.Copy(io.Discard, os.Stdin)
	os.Exit(0)
}

// orders passes on the lines of input and calls end when there are no more.
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
