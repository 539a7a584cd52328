//! The backend of a Service, as far as it was read.

use super::trouble::Trouble;
use crate::report::{Link, LinkState, Ref, Sentence};
use crate::survey::{Metadata, Seen};
use serde_json::Value;

/// The port of a Service in a registration that names none (kubernetes/kubernetes:
/// `staging/src/k8s.io/kube-aggregator/pkg/apis/apiregistration/v1/defaults.go`).
const DEFAULT_PORT: i64 = 443;

/// A Service as a registration names it.
#[derive(Debug, Clone, Copy)]
pub struct ServiceName<'a> {
    /// Its namespace.
    pub namespace: &'a str,
    /// Its name.
    pub name: &'a str,
    /// The port that is called: 443 unless the registration says otherwise.
    pub port: i64,
    /// The registration's own metadata. If the Service does not exist, the marks show whether anything of
    /// the same installation is left.
    pub registration: Option<&'a Metadata>,
}

impl<'a> ServiceName<'a> {
    /// Parses the entry that names a Service in a registration with this metadata.
    pub(crate) fn read(service: &'a Value, registration: &'a Metadata) -> Self {
        let text = |field: &str| service.get(field).and_then(Value::as_str).unwrap_or_default();
        let port = service.get("port").and_then(Value::as_i64).unwrap_or(DEFAULT_PORT);
        Self { namespace: text("namespace"), name: text("name"), port, registration: Some(registration) }
    }
}

/// Whether a Service answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// There is a ready address for this port. Whether its program gives the right answers is another
    /// matter.
    Answers,
    /// It does not answer: a link is broken.
    Broken,
    /// It cannot be seen, or could not be read.
    Unknown,
}

/// The backend of a Service.
#[derive(Debug, Clone)]
pub struct Backend<'s> {
    /// The Service, marked if it does not exist.
    pub service: Ref,
    /// The links from the Service down to the first broken one.
    pub chain: Vec<Link>,
    /// Whether it answers.
    pub verdict: Verdict,
    /// Why the Service is gone for good, as far as can be seen.
    pub(crate) left_over: Option<String>,
    /// The workload behind it, if that is scaled to 0.
    pub scaled_to_zero: Option<Seen<'s>>,
    /// Whether its pod is assumed not to be ready because of a Service that it calls.
    pub(crate) is_assumed: bool,
    /// Whether its pod is so young that it may only be starting.
    pub starting: bool,
    /// Whether the workload behind it still exists and must be repaired.
    pub is_wanted: bool,
    /// The trouble of a broken node or network.
    pub trouble: Option<Trouble>,
    /// The pods with the ready addresses; empty if these are no pods.
    pub(crate) ready_pods: Vec<&'s str>,
}

impl<'s> Backend<'s> {
    pub(crate) fn new(service: Ref) -> Self {
        Self {
            service,
            chain: Vec::new(),
            verdict: Verdict::Broken,
            left_over: None,
            scaled_to_zero: None,
            is_assumed: false,
            starting: false,
            is_wanted: false,
            trouble: None,
            ready_pods: Vec::new(),
        }
    }

    /// The link that must be repaired first.
    pub(crate) fn broken(&self) -> Option<&Link> {
        self.chain.iter().find(|link| link.state == LinkState::Broken)
    }

    /// Whether its Service or namespace is gone and will not come back by itself: nothing is left that
    /// could use the registration.
    pub(crate) fn is_left_over(&self) -> bool {
        self.left_over.is_some()
    }

    /// Why it counts as left over.
    pub(crate) fn why_left_over(&self) -> Option<&str> {
        self.left_over.as_deref()
    }

    /// One of its ready pods, as an example.
    pub(crate) fn a_ready_pod(&self) -> Option<&'s str> {
        self.ready_pods.first().copied()
    }

    pub(crate) fn link(&mut self, object: Ref, state: LinkState, text: impl Into<Sentence>) {
        self.chain.push(Link::new(object, state, text));
    }

    pub(crate) fn with(mut self, verdict: Verdict) -> Self {
        self.verdict = verdict;
        self
    }
}
