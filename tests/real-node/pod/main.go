// Command pod runs in the pods of a node for tests. Its arguments say what it does when it gets a
// signal.
package main

import (
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"
)

const usage = `usage:
  pod pause            waits for SIGTERM and buries orphans, as every pod's first process
  pod obey [SECONDS]   ends so long after SIGTERM
  pod ignore           does not end
  pod sleep SECONDS    ends by itself
  pod crash            fails at once
  pod touch FILE       makes a file
`

func main() {
	os.Exit(run(append(os.Args[1:], "", "")))
}

func run(args []string) int {
	told := make(chan os.Signal, 1)
	signal.Notify(told, syscall.SIGTERM, os.Interrupt)
	seconds, _ := strconv.ParseFloat(args[1], 64) // 0 if there is none
	pause := time.Duration(seconds * float64(time.Second))
	switch args[0] {
	case "pause":
		go bury()
		<-told
	case "obey":
		<-told
		time.Sleep(pause)
	case "ignore":
		for range told {
			fmt.Println("told to end")
		}
	case "sleep":
		time.Sleep(pause)
	case "crash":
		fmt.Println("cannot work")
		return 1
	case "touch":
		if err := os.WriteFile(args[1], nil, 0o600); err != nil {
			fmt.Println(err)
			return 1
		}
	default:
		fmt.Print(usage)
		return 2
	}
	return 0
}

func bury() {
	for {
		if _, err := syscall.Wait4(-1, nil, 0, nil); err != nil {
			time.Sleep(time.Second) // no child processes
		}
	}
}
