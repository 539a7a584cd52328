package main

import (
	"os"
	_ "time/tzdata" // time zones of CronJobs, in case the machine has none

	"go.etcd.io/etcd/server/v3/etcdmain"
	"go.etcd.io/etcd/server/v3/storage/wal"
	_ "k8s.io/client-go/plugin/pkg/client/auth" // kubectl's authentication plugins
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	kubectlcmd "k8s.io/kubectl/pkg/cmd"
	"k8s.io/kubectl/pkg/cmd/util"
	apiserverapp "k8s.io/kubernetes/cmd/kube-apiserver/app"
	managerapp "k8s.io/kubernetes/cmd/kube-controller-manager/app"
)

// The functions below are the main functions of the real programs. They read os.Args, so they
// ignore the parameter.

func etcd([]string) int {
	wal.SegmentSizeBytes = 4 << 20 // preallocated, 64 MB by default
	etcdmain.Main(os.Args)
	return 0
}

func kubeAPIServer([]string) int {
	return cli.Run(apiserverapp.NewAPIServerCommand())
}

func kubeControllerManager([]string) int {
	return cli.Run(managerapp.NewControllerManagerCommand())
}

func kubectl([]string) int {
	if err := cli.RunNoErrOutput(kubectlcmd.NewDefaultKubectlCommand()); err != nil {
		util.CheckErr(err) // prints and exits like kubectl
	}
	return 0
}
