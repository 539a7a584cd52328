package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/retry"
)

// A kubelet waits firstBackOff before it restarts a container, and at most longestBackOff later
// on.
const (
	firstBackOff   = 10 * time.Second
	longestBackOff = 5 * time.Minute
)

// runningPod is a pod on the node with the processes of its containers.
type runningPod struct {
	agent   *agent
	pod     *corev1.Pod // as it was when it was added
	address string
	dir     string
	started metav1.Time

	network *network // nil before the start, and if no container is a process

	mutex      sync.Mutex
	containers []*container
	ending     bool
	stop       context.CancelFunc
}

func newRunningPod(a *agent, pod *corev1.Pod, number int) *runningPod {
	r := &runningPod{agent: a, pod: pod, started: metav1.Now(), address: fmt.Sprintf("192.0.2.%d", 2+number%250),
		dir: filepath.Join(a.dir, "pods", string(pod.UID))}
	for i := range pod.Spec.Containers {
		r.containers = append(r.containers, newContainer(r, &pod.Spec.Containers[i]))
	}
	return r
}

// run starts the pod's containers. Their status is then reported until the pod ends.
func (r *runningPod) run(ctx context.Context) {
	ctx, r.stop = context.WithCancel(ctx)
	if r.hasProcess() {
		network, err := newNetwork()
		if err != nil {
			log.Printf("%s: %v", r.pod.Name, err)
			return
		}
		r.mutex.Lock()
		r.network = network
		r.mutex.Unlock()
		for _, address := range []string{r.agent.server, r.agent.kubelet} {
			if err := network.forward(address, address); err != nil {
				log.Printf("%s: %v", r.pod.Name, err)
			}
		}
		r.report(ctx)
		if !r.prepare(ctx) {
			return
		}
		go r.refresh(ctx)
	}
	for _, container := range r.containers {
		go container.run(ctx)
	}
	r.agent.look()
}

func (r *runningPod) hasProcess() bool {
	for _, container := range r.containers {
		if container.program != "" {
			return true
		}
	}
	return false
}

// prepare writes the files of the pod and waits until their sources exist.
func (r *runningPod) prepare(ctx context.Context) bool {
	told := ""
	for ctx.Err() == nil {
		err := r.writeFiles(ctx)
		if err == nil {
			return true
		}
		if err.Error() != told {
			told = err.Error()
			log.Printf("%s/%s: %v", r.pod.Namespace, r.pod.Name, err)
			r.agent.warn(ctx, r.pod, "FailedMount", told)
		}
		_ = pause(ctx, time.Second)
	}
	return false
}

// refresh keeps the files up to date, as a kubelet does, but sooner.
func (r *runningPod) refresh(ctx context.Context) {
	for ctx.Err() == nil {
		_ = pause(ctx, 2*time.Second)
		if err := r.writeVolumes(ctx); err != nil && ctx.Err() == nil {
			continue // keep the files that are mounted
		}
	}
}

// end stops the containers within the grace period of the deletion and then confirms it.
func (r *runningPod) end(ctx context.Context, pod *corev1.Pod) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.ending {
		return
	}
	r.ending = true
	go func() {
		grace := 30 * time.Second
		if pod.DeletionGracePeriodSeconds != nil {
			grace = time.Duration(*pod.DeletionGracePeriodSeconds) * time.Second
		}
		r.halt(grace)
		r.report(ctx)
		r.agent.confirm(ctx, pod)
	}()
}

// halt stops all processes and kills those that exceed the grace period.
func (r *runningPod) halt(grace time.Duration) {
	if r.stop != nil {
		r.stop()
	}
	var all sync.WaitGroup
	for _, container := range r.containers {
		all.Go(func() { container.end(grace) })
	}
	all.Wait()
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.network != nil {
		r.network.close()
	}
	os.RemoveAll(r.dir)
}

func (r *runningPod) kill() { r.halt(0) }

// report updates the pod's status.
func (r *runningPod) report(ctx context.Context) {
	pods := r.agent.client.CoreV1().Pods(r.pod.Namespace)
	err := retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		now, err := pods.Get(ctx, r.pod.Name, metav1.GetOptions{})
		if err != nil || now.UID != r.pod.UID {
			return err
		}
		r.fill(&now.Status)
		_, err = pods.UpdateStatus(ctx, now, metav1.UpdateOptions{FieldManager: "kubelet"})
		return err
	})
	if err != nil && ctx.Err() == nil {
		log.Printf("status of %s/%s: %v", r.pod.Namespace, r.pod.Name, err)
	}
	r.agent.look()
}

func (r *runningPod) fill(status *corev1.PodStatus) {
	r.mutex.Lock()
	ending := r.ending
	r.mutex.Unlock()
	before := map[string]corev1.ContainerStatus{}
	for _, old := range status.ContainerStatuses {
		before[old.Name] = old
	}
	status.ContainerStatuses = nil
	ready, begun, failed := true, true, false
	for _, container := range r.containers {
		now := container.status()
		if old := before[now.Name]; now.State.Running != nil && old.State.Running != nil && now.RestartCount == old.RestartCount {
			now.State.Running = old.State.Running // a test may have set it back
		}
		status.ContainerStatuses = append(status.ContainerStatuses, now)
		ready, begun = ready && now.Ready, begun && (now.State.Waiting == nil || now.RestartCount > 0)
		failed = failed || (now.State.Terminated != nil && now.State.Terminated.ExitCode != 0)
	}
	status.HostIP, status.PodIP, status.PodIPs = "127.0.0.1", r.address, []corev1.PodIP{{IP: r.address}}
	if status.StartTime == nil {
		status.StartTime = &r.started
	}
	switch {
	case ending && failed:
		status.Phase, ready = corev1.PodFailed, false
	case ending:
		status.Phase, ready = corev1.PodSucceeded, false
	case begun:
		status.Phase = corev1.PodRunning
	default:
		status.Phase = corev1.PodPending
	}
	setCondition(status, corev1.PodInitialized, true)
	setCondition(status, corev1.ContainersReady, ready)
	setCondition(status, corev1.PodReady, ready)
}

func setCondition(status *corev1.PodStatus, kind corev1.PodConditionType, is bool) {
	value, reason := corev1.ConditionTrue, ""
	if !is {
		value, reason = corev1.ConditionFalse, "ContainersNotReady"
	}
	for i := range status.Conditions {
		if condition := &status.Conditions[i]; condition.Type == kind {
			if condition.Status != value {
				condition.Status, condition.Reason, condition.LastTransitionTime = value, reason, metav1.Now()
			}
			return
		}
	}
	status.Conditions = append(status.Conditions,
		corev1.PodCondition{Type: kind, Status: value, Reason: reason, LastTransitionTime: metav1.Now()})
}

// confirm deletes the pod for good, as a kubelet does.
func (a *agent) confirm(ctx context.Context, pod *corev1.Pod) {
	now := int64(0)
	options := metav1.DeleteOptions{GracePeriodSeconds: &now, Preconditions: &metav1.Preconditions{UID: &pod.UID}}
	_ = a.client.CoreV1().Pods(pod.Namespace).Delete(ctx, pod.Name, options) // retried while the pod exists
}

func (a *agent) warn(ctx context.Context, pod *corev1.Pod, reason, message string) {
	event := &corev1.Event{
		ObjectMeta: metav1.ObjectMeta{GenerateName: pod.Name + ".", Namespace: pod.Namespace},
		InvolvedObject: corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: pod.Namespace, Name: pod.Name,
			UID: pod.UID},
		Type: corev1.EventTypeWarning, Reason: reason, Message: message, Count: 1,
		Source:         corev1.EventSource{Component: "kubelet", Host: a.node},
		FirstTimestamp: metav1.Now(), LastTimestamp: metav1.Now(),
	}
	_, _ = a.client.CoreV1().Events(pod.Namespace).Create(ctx, event, metav1.CreateOptions{}) // best effort
}
