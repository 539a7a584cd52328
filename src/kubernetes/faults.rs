//! Faults of Kubernetes that hold objects, and that later releases do not have.

use crate::facts::Facts;

/// A fault, and what mended it.
pub(crate) struct Fault {
    /// The first minor version of Kubernetes 1 without it; patches of earlier ones may have been mended, too.
    mended: u32,
    /// What goes wrong, to be read after "before Kubernetes 1.N, ".
    words: &'static str,
    source: &'static str,
}

/// The Job controller gives up on pods of a Job that is gone.
pub(crate) const ORPHANS_GIVEN_UP: Fault = Fault {
    mended: 38,
    words: "the Job controller does not try again when it has failed to release a pod whose Job is gone, until the pod \
            changes",
    source: "kubernetes/kubernetes#141329",
};

/// A volume keeps its phase.
pub(crate) const VOLUME_LEFT_BOUND: Fault = Fault {
    mended: 38,
    words: "a volume may stay Bound after its claim is gone",
    source: "kubernetes/kubernetes#140691",
};

/// Volumes are detached late.
pub(crate) const DETACHED_LATE: Fault = Fault {
    mended: 38,
    words: "a volume may be detached only five minutes after its last pod has ended",
    source: "kubernetes/kubernetes#141385",
};

impl Fault {
    /// The fault in words, if the server may have it.
    pub(crate) fn words(&self, facts: &Facts<'_>) -> Option<String> {
        self.at(facts.server_minor()?)
    }

    fn at(&self, minor: u32) -> Option<String> {
        let Self { mended, words, source } = self;
        (minor < *mended).then(|| format!("before Kubernetes 1.{mended}, {words} ({source})"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_told_of_servers_that_may_have_it() {
        assert!(VOLUME_LEFT_BOUND.at(37).is_some_and(|words| words.starts_with("before Kubernetes 1.38, a volume")));
        assert!(VOLUME_LEFT_BOUND.at(38).is_none());
    }
}
