//go:build !kubernetes_1_35

package main

import (
	"context"
	"io"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/cri-client/pkg/logs"
)

// readLogs copies the requested part of a container's log like the kubelet
// (kubernetes/kubernetes: pkg/kubelet/kuberuntime/kuberuntime_logs.go).
func readLogs(ctx context.Context, path string, asked *corev1.PodLogOptions, w io.Writer) error {
	options := &logs.LogOptions{TailLines: asked.TailLines, LimitBytes: asked.LimitBytes, Timestamp: asked.Timestamps}
	if asked.SinceSeconds != nil {
		options.Since = time.Now().Add(-time.Duration(*asked.SinceSeconds) * time.Second)
	}
	if asked.SinceTime != nil {
		options.Since = asked.SinceTime.Time
	}
	return logs.ReadLogs(ctx, path, "", options, nil, w, w)
}
