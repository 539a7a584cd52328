//! A controller that set the finalizer and has written since the deletion is alive, wherever it
//! runs: a workload that is down need not be that controller.

use crate::facts::{Known, since};
use crate::kubernetes::finalizers::names::says_something;
use crate::kubernetes::ownership::candidates::Candidate;
use crate::kubernetes::ownership::owner;
use crate::kubernetes::ownership::owner::{Fit, RuledOut, programs};
use crate::kubernetes::progress::inquiry::Inquiry;
use crate::kubernetes::progress::writes;
use crate::kubernetes::progress::writes::{SIGN_OF_LIFE, Writer};
use crate::kubernetes::workloads::health::Health;
use crate::reasons::at_work::{self, Work};
use crate::reasons::controller_unknown;
use crate::reasons::judgement::Judgement;
use crate::survey::Object;
use jiff::SignedDuration;

/// A controller that wrote within this time was not scaled to 0 long before.
const A_MOMENT: SignedDuration = SignedDuration::from_secs(30);

/// Suffixes that the name of a program may have or lack.
const SUFFIXES: [&str; 4] = ["-controller-manager", "-controller", "-manager", "-operator"];

/// Judges that the owner of the finalizer runs elsewhere, despite the evidence for `best`, which is
/// down.
pub(super) fn runs_elsewhere<'s>(
    best: &Candidate<'s>,
    health: &Health<'_>,
    inquiry: Inquiry<'_, 's>,
) -> Known<Option<Judgement<'s>>> {
    let Inquiry { finalizer, held, traces, facts, .. } = inquiry;
    let workload = best.reference();
    let is_parked = matches!(health, Health::ScaledToZero);
    let written = writes::written_since(finalizer, held).filter(|written| written.by == Writer::Setter);
    let Some(written) = written.filter(|_| is_parked || matches!(health, Health::Down(_))) else { return Ok(None) };
    let age = since(written.at, facts.now());
    let alive = |work: Option<Work>, evidence: Vec<String>| {
        // If it has not written for a while, it cannot be seen whether it still runs.
        let why = work.map_or_else(controller_unknown::found, at_work::found);
        Judgement::new(why, evidence.into_iter().map(Into::into).collect(), true)
    };
    let is_catalogued = traces.names.iter().any(|name| name.catalogued);
    if !is_catalogued && is_another(&written.name, best.seen.object) {
        let out =
            RuledOut::new(format!("the writes are those of {}, which perhaps runs elsewhere", written.name), false);
        let evidence = vec![written.text, owner::line(&workload, &out)];
        return Ok(Some(alive((age <= SIGN_OF_LIFE).then_some(Work::Expected), evidence)));
    }
    if !is_parked || age > A_MOMENT || has_a_pod(best, inquiry)? {
        return Ok(None);
    }
    let parked = format!("{workload} is scaled to 0 replicas");
    let written = format!("{}: it has no pod here and runs elsewhere", written.text);
    Ok(Some(alive(Some(Work::Seen), best.why.iter().cloned().chain([parked, written]).collect())))
}

/// Whether the workload still has a pod, or that is unknown.
fn has_a_pod(best: &Candidate<'_>, inquiry: Inquiry<'_, '_>) -> Known<bool> {
    Ok(inquiry.gaps.pass(best.pods(inquiry.facts))?.is_none_or(|pods| !pods.is_empty()))
}

/// Whether a workload has only a part of the name under which the controller writes: `hub-agent`
/// is not `hub-agent-metrics`, but may be `hub-agent-controller`.
fn is_another(writer: &str, workload: &Object) -> bool {
    if !says_something(writer) || owner::fit(writer, workload) == Fit::Not {
        return false;
    }
    // Helm charts put the name of the release first.
    let release = workload.metadata.labels.get("app.kubernetes.io/instance");
    let without = release.and_then(|release| workload.name().strip_prefix(release.as_str())?.strip_prefix('-'));
    let mut called = std::iter::once(workload.name()).chain(without).chain(programs(workload));
    !called.any(|called| bare(called) == bare(writer))
}

fn bare(name: &str) -> &str {
    let shorter = SUFFIXES.iter().find_map(|suffix| name.strip_suffix(suffix)).filter(|name| !name.is_empty());
    shorter.map_or(name, bare)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_longer_workload_name_may_be_another_program() {
        let workload = |name: &str, container: &str| -> Object {
            serde_json::from_value(json!({"metadata": {"name": name, "labels": {"app.kubernetes.io/instance": "prod"}},
                "spec": {"template": {"spec": {"containers": [{"name": container}]}}}}))
            .unwrap()
        };
        assert!(is_another("hub-agent", &workload("hub-agent-metrics", "main")));
        assert!(!is_another("hub-agent", &workload("hub-agent-controller-manager", "main")));
        assert!(!is_another("hub-agent", &workload("prod-hub-agent", "main")));
        assert!(!is_another("hub-agent", &workload("hub-agent-rollout", "hub-agent")));
        assert!(!is_another("manager", &workload("hub-manager", "main")));
        assert!(!is_another("other", &workload("hub-agent", "main")));
    }
}
