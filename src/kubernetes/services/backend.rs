//! What stands behind a Service, as far as it was read.

use super::trouble::Trouble;
use crate::report::{Link, LinkState, Named, Ref};
use crate::survey::{Metadata, Seen};

/// A Service as a registration names it.
#[derive(Debug, Clone, Copy)]
pub struct ServiceName<'a> {
    /// Its namespace.
    pub namespace: &'a str,
    /// Its name.
    pub name: &'a str,
    /// The port that is dialled: 443 unless the registration says otherwise.
    pub port: i64,
    /// The registration's own metadata: by its marks it is seen whether something
    /// of the same installation is left where the Service does not exist.
    pub registration: Option<&'a Metadata>,
}

/// Whether somebody answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// There is a ready address for this port. Whether what listens there gives
    /// the right answers is another matter.
    Answers,
    /// Nobody does: a link is broken.
    Broken,
    /// It does not show, or could not be read.
    Unknown,
}

/// What stands behind a Service.
#[derive(Debug, Clone)]
pub struct Backend<'s> {
    /// The Service, marked when it does not exist.
    pub service: Ref,
    /// From the Service down to the first broken link.
    pub chain: Vec<Link>,
    /// Whether somebody answers.
    pub verdict: Verdict,
    /// Why the Service is gone for good, as far as can be seen.
    pub(crate) left_over: Option<String>,
    /// The workload behind it, when that is told to run no pod.
    pub scaled_to_zero: Option<Seen<'s>>,
    /// Its pod is so young that it may only be starting.
    pub starting: bool,
    /// The workload behind it is there still and has to be repaired.
    pub is_wanted: bool,
    /// What the broken node or network says of the cloud.
    pub trouble: Option<Trouble>,
    /// The pods behind the ready addresses; empty where they are no pods.
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
            starting: false,
            is_wanted: false,
            trouble: None,
            ready_pods: Vec::new(),
        }
    }

    /// The link that is to be repaired first.
    #[must_use]
    pub fn broken(&self) -> Option<&Link> {
        self.chain.iter().find(|link| link.state == LinkState::Broken)
    }

    /// Whether its Service or namespace is gone and does not come back by itself:
    /// nothing that could use the registration is left.
    #[must_use]
    pub fn is_left_over(&self) -> bool {
        self.left_over.is_some()
    }

    /// Why it is taken for a leftover.
    #[must_use]
    pub fn why_left_over(&self) -> Option<&str> {
        self.left_over.as_deref()
    }

    /// One of its ready pods, to look at.
    #[must_use]
    pub fn a_ready_pod(&self) -> Option<&'s str> {
        self.ready_pods.first().copied()
    }

    pub(crate) fn link(&mut self, object: Ref, state: LinkState, text: impl Into<String>) {
        self.chain.push(Link::new(object, state, text));
    }

    pub(crate) fn with(mut self, verdict: Verdict) -> Self {
        self.verdict = verdict;
        self
    }
}

/// Names an object of a kind that every API server has.
pub(crate) fn named(api_version: &str, kind: &str, plural: &str, namespace: Option<&str>, name: &str) -> Ref {
    Ref::from(Named {
        api_version: api_version.into(),
        kind: kind.into(),
        resource: plural.into(),
        namespace: namespace.map(Into::into),
        name: name.into(),
        ..Named::default()
    })
}
