//go:build kubernetes_1_35

package main

import (
	"context"
	"io"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/cri-client/pkg/logs"
)

// readLogs does the same for Kubernetes 1.35, whose function has other parameters.
func readLogs(ctx context.Context, path string, asked *corev1.PodLogOptions, w io.Writer) error {
	return logs.ReadLogs(ctx, nil, path, "", logs.NewLogOptions(asked, time.Now()), nil, w, w)
}
