package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/retry"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
)

// renewsEvery is how often the agent renews the lease of its node.
const renewsEvery = 5 * time.Second

// announce creates the Node and sets it Ready.
func (a *agent) announce(ctx context.Context, port int) error {
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: a.node, Labels: map[string]string{
		corev1.LabelHostname: a.node, corev1.LabelOSStable: "linux", corev1.LabelArchStable: "amd64",
	}}}
	nodes := a.client.CoreV1().Nodes()
	if _, err := nodes.Create(ctx, node, metav1.CreateOptions{}); err != nil && !apierrors.IsAlreadyExists(err) {
		return err
	}
	room := corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("32"),
		corev1.ResourceMemory: resource.MustParse("64Gi"), corev1.ResourcePods: resource.MustParse("250")}
	now := metav1.Now()
	status := corev1.NodeStatus{
		Capacity: room, Allocatable: room,
		Addresses:       []corev1.NodeAddress{{Type: corev1.NodeInternalIP, Address: "127.0.0.1"}},
		DaemonEndpoints: corev1.NodeDaemonEndpoints{KubeletEndpoint: corev1.DaemonEndpoint{Port: int32(port)}},
		Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue, Reason: "KubeletReady",
			Message: "kubelet is posting ready status", LastHeartbeatTime: now, LastTransitionTime: now}},
		NodeInfo: corev1.NodeSystemInfo{OperatingSystem: "linux", Architecture: "amd64"},
	}
	return retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		node, err := nodes.Get(ctx, a.node, metav1.GetOptions{})
		if err != nil {
			return err
		}
		node.Status = status
		_, err = nodes.UpdateStatus(ctx, node, metav1.UpdateOptions{FieldManager: "kubelet"})
		return err
	})
}

func (a *agent) renewLease(ctx context.Context) {
	for ctx.Err() == nil {
		if err := a.renewOnce(ctx); err != nil {
			log.Print("lease: ", err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(renewsEvery):
		}
	}
}

func (a *agent) renewOnce(ctx context.Context) error {
	leases := a.client.CoordinationV1().Leases(corev1.NamespaceNodeLease)
	now, seconds := metav1.NowMicro(), int32(40)
	lease, err := leases.Get(ctx, a.node, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		lease = &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Name: a.node, Namespace: corev1.NamespaceNodeLease},
			Spec: coordinationv1.LeaseSpec{HolderIdentity: &a.node, LeaseDurationSeconds: &seconds, RenewTime: &now}}
		_, err = leases.Create(ctx, lease, metav1.CreateOptions{FieldManager: "kubelet"})
		return err
	}
	if err != nil {
		return err
	}
	lease.Spec.RenewTime = &now
	_, err = leases.Update(ctx, lease, metav1.UpdateOptions{FieldManager: "kubelet"})
	return err
}

// schedule binds a pod to the node if it fits there.
func (a *agent) schedule(ctx context.Context, pod *corev1.Pod) {
	if len(pod.Spec.SchedulingGates) > 0 {
		return
	}
	node, err := a.client.CoreV1().Nodes().Get(ctx, a.node, metav1.GetOptions{})
	if err != nil {
		return
	}
	fits, err := nodeaffinity.GetRequiredNodeAffinity(pod).Match(node)
	if err != nil || !fits || (node.Spec.Unschedulable && !toleratesAll(pod)) {
		a.cannotSchedule(ctx, pod)
		return
	}
	binding := &corev1.Binding{ObjectMeta: metav1.ObjectMeta{Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID},
		Target: corev1.ObjectReference{APIVersion: "v1", Kind: "Node", Name: a.node}}
	err = a.client.CoreV1().Pods(pod.Namespace).Bind(ctx, binding, metav1.CreateOptions{FieldManager: "kube-scheduler"})
	if err != nil && !apierrors.IsConflict(err) && !apierrors.IsNotFound(err) {
		log.Printf("bind %s/%s: %v", pod.Namespace, pod.Name, err)
	}
}

// toleratesAll reports whether a pod may run on a cordoned node, as pods of a DaemonSet may.
func toleratesAll(pod *corev1.Pod) bool {
	for _, toleration := range pod.Spec.Tolerations {
		if toleration.Operator == corev1.TolerationOpExists &&
			(toleration.Key == "" || toleration.Key == corev1.TaintNodeUnschedulable) {
			return true
		}
	}
	return false
}

func (a *agent) cannotSchedule(ctx context.Context, pod *corev1.Pod) {
	why := corev1.PodCondition{Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: "Unschedulable",
		Message: "0/1 nodes are available: 1 node(s) didn't match the pod or were unschedulable.", LastTransitionTime: metav1.Now()}
	for _, condition := range pod.Status.Conditions {
		if condition.Type == why.Type && condition.Reason == why.Reason {
			return
		}
	}
	pod = pod.DeepCopy()
	pod.Status.Conditions = append(pod.Status.Conditions, why)
	options := metav1.UpdateOptions{FieldManager: "kube-scheduler"}
	if _, err := a.client.CoreV1().Pods(pod.Namespace).UpdateStatus(ctx, pod, options); err != nil {
		log.Print(err)
	}
}

// listenSomewhere listens on a port that the kernel does not assign by itself.
func listenSomewhere() (net.Listener, int, error) {
	for attempt := 0; ; attempt++ {
		ports, err := choosePorts()
		if err != nil {
			return nil, 0, err
		}
		port := ports.apiServer
		listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err == nil || attempt == 5 {
			return listener, port, err
		}
	}
}

func silent() *log.Logger { return log.New(io.Discard, "", 0) }
