package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// forwarder forwards connections, as the kernel does for kube-proxy.
type forwarder struct{ listener net.Listener }

// newForwarder forwards the connections that a listener accepts. It closes a connection that
// cannot be dialed.
func newForwarder(listener net.Listener, dial func() (net.Conn, error)) *forwarder {
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return // the listener is closed
			}
			go passOn(connection, dial)
		}
	}()
	return &forwarder{listener: listener}
}

func passOn(from net.Conn, dial func() (net.Conn, error)) {
	defer from.Close()
	to, err := dial()
	if err != nil {
		return
	}
	defer to.Close()
	var both sync.WaitGroup
	copyTo := func(to, from net.Conn) {
		io.Copy(to, from)
		if half, can := to.(*net.TCPConn); can {
			half.CloseWrite()
		}
	}
	both.Go(func() { copyTo(to, from) })
	both.Go(func() { copyTo(from, to) })
	both.Wait()
}

// forwardServices keeps a forwarder for each port of each Service that has a ready pod: on this
// machine, where the API server connects, and in the network of each pod. A Service without a
// ready pod refuses connections.
func (a *agent) forwardServices() {
	services, err := a.services.List(labels.Everything())
	if err != nil {
		return
	}
	a.mutex.Lock()
	defer a.mutex.Unlock()
	wanted := map[string]bool{}
	for _, service := range services {
		address := net.ParseIP(service.Spec.ClusterIP)
		if address == nil || !address.IsLoopback() || len(service.Spec.Selector) == 0 {
			continue
		}
		for _, port := range service.Spec.Ports {
			dial := a.dialer(service, port)
			if dial == nil {
				continue
			}
			where := fmt.Sprintf("%s:%d", address, port.Port)
			a.forwardAt("", where, wanted, dial, func() (net.Listener, error) { return net.Listen("tcp", where) })
			for uid, pod := range a.running {
				if network := pod.networkNow(); network != nil && !pod.listensAt(service, port) {
					a.forwardAt(string(uid), where, wanted, dial, func() (net.Listener, error) { return network.listen(where) })
				}
			}
		}
	}
	for key, forwarder := range a.forwards {
		if !wanted[key] {
			forwarder.listener.Close()
			delete(a.forwards, key)
		}
	}
}

func (a *agent) forwardAt(pod, where string, wanted map[string]bool, dial func() (net.Conn, error), listen func() (net.Listener, error)) {
	key := pod + " " + where
	wanted[key] = true
	if a.forwards[key] != nil {
		return
	}
	listener, err := listen()
	if err != nil {
		log.Printf("forward %s: %v", where, err)
		return
	}
	a.forwards[key] = newForwarder(listener, dial)
}

// dialer returns a function that connects to a process behind a port of a Service. It returns nil
// if there is none.
func (a *agent) dialer(service *corev1.Service, port corev1.ServicePort) func() (net.Conn, error) {
	if a.behind(service) == nil {
		return nil
	}
	return func() (net.Conn, error) {
		a.mutex.Lock()
		pod := a.behind(service)
		a.mutex.Unlock()
		if pod == nil {
			return nil, fmt.Errorf("no pod of %s is ready", service.Name)
		}
		return pod.network.dial(pod.port(targetPort(port)))
	}
}

// behind returns a ready pod that the Service selects, or nil.
func (a *agent) behind(service *corev1.Service) *runningPod {
	selector := labels.SelectorFromSet(service.Spec.Selector)
	for _, pod := range a.running {
		if pod.pod.Namespace == service.Namespace && selector.Matches(labels.Set(pod.pod.Labels)) && pod.isReady() {
			return pod
		}
	}
	return nil
}

// listensAt reports whether the pod's own process listens on the port of the Service. It listens
// on all addresses, so it could not restart beside a forwarder.
func (r *runningPod) listensAt(service *corev1.Service, port corev1.ServicePort) bool {
	return service.Namespace == r.pod.Namespace &&
		labels.SelectorFromSet(service.Spec.Selector).Matches(labels.Set(r.pod.Labels)) &&
		r.port(targetPort(port)) == int(port.Port)
}

func targetPort(port corev1.ServicePort) intstr.IntOrString {
	if port.TargetPort == (intstr.IntOrString{}) {
		return intstr.FromInt32(port.Port)
	}
	return port.TargetPort
}

// port returns the number of a container's port.
func (r *runningPod) port(port intstr.IntOrString) int {
	if port.Type == intstr.Int {
		return port.IntValue()
	}
	for _, container := range r.pod.Spec.Containers {
		for _, named := range container.Ports {
			if named.Name == port.StrVal {
				return int(named.ContainerPort)
			}
		}
	}
	return 0
}

func (r *runningPod) networkNow() *network {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.ending {
		return nil
	}
	return r.network
}

func (r *runningPod) isReady() bool {
	if r.networkNow() == nil {
		return false
	}
	for _, container := range r.containers {
		if !container.status().Ready {
			return false
		}
	}
	return true
}
