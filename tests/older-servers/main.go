// Command older-servers contains kube-apiserver and kube-controller-manager of the version in the
// go.mod that it is built with: versions/VERSION.mod. The control plane of the tests starts them
// instead of its own if CONTROL_PLANE_SERVERS has the path of this program.
package main

import (
	"fmt"
	"io"
	"os"
	_ "time/tzdata" // time zones of CronJobs, in case the machine has none

	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	apiserverapp "k8s.io/kubernetes/cmd/kube-apiserver/app"
	managerapp "k8s.io/kubernetes/cmd/kube-controller-manager/app"
)

// endWithStdin is how the control plane asks this program to exit when its stdin is closed.
const endWithStdin = "CONTROL_PLANE_END_WITH_STDIN"

func main() {
	if os.Getenv(endWithStdin) != "" {
		go func() {
			io.Copy(io.Discard, os.Stdin)
			os.Exit(0)
		}()
	}
	os.Args = os.Args[1:] // the programs read os.Args themselves and expect their own name first
	if len(os.Args) > 0 {
		switch os.Args[0] {
		case "kube-apiserver":
			os.Exit(cli.Run(apiserverapp.NewAPIServerCommand()))
		case "kube-controller-manager":
			os.Exit(cli.Run(managerapp.NewControllerManagerCommand()))
		}
	}
	fmt.Fprintln(os.Stderr, "usage: older-servers kube-apiserver|kube-controller-manager ARGS...")
	os.Exit(2)
}
