package main

import (
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// begun is when the CPU counters of the node started.
var begun = time.Now()

// withMetrics serves the node's resource usage to clients with a valid token, as kubelets do.
// Everything else requires the API server's client certificate.
func (a *agent) withMetrics(rest http.Handler, trust *tls.Config) http.Handler {
	trust.ClientAuth = tls.VerifyClientCertIfGiven
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case len(r.TLS.PeerCertificates) > 0:
			rest.ServeHTTP(w, r)
		case r.URL.Path == "/metrics/resource" && a.knows(r):
			w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
			io.WriteString(w, a.metrics(time.Now()))
		default:
			say(w, http.StatusUnauthorized, "Unauthorized")
		}
	})
}

// metrics reports that the node and each container have used half a CPU since begun.
func (a *agent) metrics(now time.Time) string {
	var text strings.Builder
	used := now.Sub(begun).Seconds() / 2
	fmt.Fprintf(&text, "node_cpu_usage_seconds_total %f %d\n", used, now.UnixMilli())
	fmt.Fprintf(&text, "node_memory_working_set_bytes 1e+09 %d\n", now.UnixMilli())
	a.mutex.Lock()
	defer a.mutex.Unlock()
	for _, running := range a.running {
		for _, container := range running.pod.Spec.Containers {
			labels := fmt.Sprintf("{container=%q,namespace=%q,pod=%q}", container.Name, running.pod.Namespace, running.pod.Name)
			fmt.Fprintf(&text, "container_cpu_usage_seconds_total%s %f %d\n", labels, used, now.UnixMilli())
			fmt.Fprintf(&text, "container_memory_working_set_bytes%s 1e+08 %d\n", labels, now.UnixMilli())
			fmt.Fprintf(&text, "container_start_time_seconds%s %d %d\n", labels, begun.Unix(), now.UnixMilli())
		}
	}
	return text.String()
}

func (a *agent) knows(r *http.Request) bool {
	token, found := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !found {
		return false
	}
	review := &authenticationv1.TokenReview{Spec: authenticationv1.TokenReviewSpec{Token: token}}
	review, err := a.client.AuthenticationV1().TokenReviews().Create(r.Context(), review, metav1.CreateOptions{})
	return err == nil && review.Status.Authenticated
}
