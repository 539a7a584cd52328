//! Known aggregated APIs. This knowledge only adds words.

/// The purpose of an API group, and the program that usually serves it.
#[must_use]
pub fn known(group: &str) -> Option<&'static str> {
    Some(match group {
        "metrics.k8s.io" => "the metrics of nodes and pods for kubectl top and autoscalers, mostly from metrics-server",
        "custom.metrics.k8s.io" => "metrics for autoscalers, from an adapter of the monitoring system",
        "external.metrics.k8s.io" => "external metrics for autoscalers, from KEDA or an adapter",
        "acme.cert-manager.io" | "webhook.cert-manager.io" | "admission.cert-manager.io" => "cert-manager's webhook",
        "webhook.certmanager.k8s.io" => "the webhook of a cert-manager version before 0.11",
        "subresources.kubevirt.io" => "KubeVirt's virt-api: consoles and restarts of virtual machines",
        "upload.cdi.kubevirt.io" => "KubeVirt's importer of disk images",
        "projectcalico.org" => "Calico's API server, before its own CustomResourceDefinitions",
        "packages.operators.coreos.com" => "OLM's packageserver: what can be installed",
        _ => return None,
    })
}
