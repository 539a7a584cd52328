// Command older-servers holds kube-apiserver and kube-controller-manager of the
// version whose go.mod it is built with: versions/VERSION.mod. The control plane of
// the tests starts them in place of its own when CONTROL_PLANE_SERVERS names this
// program.
package main

import (
	"fmt"
	"io"
	"os"
	_ "time/tzdata" // the time zones of CronJobs, also where the machine has none

	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	apiserverapp "k8s.io/kubernetes/cmd/kube-apiserver/app"
	managerapp "k8s.io/kubernetes/cmd/kube-controller-manager/app"
)

// endWithStdin is how the control plane asks for an end with its own.
const endWithStdin = "CONTROL_PLANE_END_WITH_STDIN"

func main() {
	if os.Getenv(endWithStdin) != "" {
		go func() {
			io.Copy(io.Discard, os.Stdin)
			os.Exit(0)
		}()
	}
	os.Args = os.Args[1:] // the programs read it themselves and expect their own name first
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
