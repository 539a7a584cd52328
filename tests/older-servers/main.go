// An older kube-apiserver and kube-controller-manager, in one program that is
// called by the name of the one to run. Which version, the go.mod file says that
// it is built with: versions/VERSION.mod.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	_ "time/tzdata" // the time zones of CronJobs, also where the machine has none

	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	apiserverapp "k8s.io/kubernetes/cmd/kube-apiserver/app"
	managerapp "k8s.io/kubernetes/cmd/kube-controller-manager/app"
)

func main() {
	switch name := filepath.Base(os.Args[0]); name {
	case "kube-apiserver":
		os.Exit(cli.Run(apiserverapp.NewAPIServerCommand()))
	case "kube-controller-manager":
		os.Exit(cli.Run(managerapp.NewControllerManagerCommand()))
	default:
		fmt.Fprintf(os.Stderr, "%s: call it kube-apiserver or kube-controller-manager\n", name)
		os.Exit(2)
	}
}
