// Command kubectl is only kubectl. The program of the control plane also contains kubectl, but it
// takes twice as long to start, and tests run kubectl thousands of times.
package main

import (
	_ "k8s.io/client-go/plugin/pkg/client/auth" // kubectl's authentication plugins
	"k8s.io/component-base/cli"
	"k8s.io/kubectl/pkg/cmd"
	"k8s.io/kubectl/pkg/cmd/util"
)

func main() {
	if err := cli.RunNoErrOutput(cmd.NewDefaultKubectlCommand()); err != nil {
		util.CheckErr(err) // prints and exits like kubectl
	}
}
