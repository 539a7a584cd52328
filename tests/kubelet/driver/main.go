// Command driver is a minimal volume driver and a minimal device driver, which tests install and
// uninstall on a real node. It runs in a pod that mounts the kubelet's directory, and removes its
// sockets when it gets a signal.
//
// "driver csi NAME" mounts a file system in memory for each volume. "driver dra NAME" prepares
// nothing and reports success.
package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	dra "k8s.io/kubelet/pkg/apis/dra/v1"
	registration "k8s.io/kubelet/pkg/apis/pluginregistration/v1"
)

// root is the kubelet's directory, at the same path as on the node.
const root = "/var/lib/kubelet"

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: driver csi|dra NAME")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "driver:", err)
		os.Exit(1)
	}
}

func run(kind, name string) error {
	service := grpc.NewServer()
	info := &registration.PluginInfo{Name: name, Endpoint: filepath.Join(root, "plugins", name, kind+".sock")}
	switch kind {
	case "csi":
		info.Type, info.SupportedVersions = registration.CSIPlugin, []string{"1.0.0"}
		csi.RegisterIdentityServer(service, &volumes{name: name})
		csi.RegisterNodeServer(service, &volumes{name: name})
	case "dra":
		info.Type, info.SupportedVersions = registration.DRAPlugin, []string{dra.DRAPluginService}
		dra.RegisterDRAPluginServer(service, &devices{name: name})
	default:
		return fmt.Errorf("unknown kind of driver %q", kind)
	}
	if err := serve(service, info.Endpoint); err != nil {
		return err
	}
	registrar := grpc.NewServer()
	registration.RegisterRegistrationServer(registrar, &registry{info: info})
	if err := serve(registrar, filepath.Join(root, "plugins_registry", name+"-reg.sock")); err != nil {
		return err
	}
	told := make(chan os.Signal, 1)
	signal.Notify(told, syscall.SIGTERM, os.Interrupt)
	<-told
	registrar.Stop() // removes its socket, so that the kubelet unregisters the driver
	service.Stop()
	return nil
}

func serve(server *grpc.Server, socket string) error {
	if err := os.MkdirAll(filepath.Dir(socket), 0o755); err != nil {
		return err
	}
	os.Remove(socket) // of a previous run
	listener, err := net.Listen("unix", socket)
	if err != nil {
		return err
	}
	go server.Serve(listener)
	return nil
}

type registry struct {
	registration.UnimplementedRegistrationServer
	info *registration.PluginInfo
}

func (r *registry) GetInfo(context.Context, *registration.InfoRequest) (*registration.PluginInfo, error) {
	return r.info, nil
}

func (r *registry) NotifyRegistrationStatus(
	_ context.Context, status *registration.RegistrationStatus,
) (*registration.RegistrationStatusResponse, error) {
	fmt.Println("registered:", status.PluginRegistered, status.Error)
	return &registration.RegistrationStatusResponse{}, nil
}
