//! A pod's grace period is still running: its deletionTimestamp is in the future.

use crate::facts::{Facts, Known, Target, clock, words};
use crate::kubernetes::kubelet::pods::{NodeOfPod, pods_in_words, waiting_for_kubelet};
use crate::kubernetes::kubelet::with_hooks;
use crate::needs::{Draft, Explains, Findings, Rule};
use crate::plan::{in_namespace, one};
use crate::report::{Cause, Ref, Remedy};
use crate::survey::Object;

pub(super) const RULE: Rule =
    Rule::new("pod-grace-period", include_str!("pod_grace_period.md"), &[Explains::Deleted(diagnose)]);

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    let in_grace: Vec<_> = waiting_for_kubelet(target, facts)?
        .into_iter()
        .filter(|waiting| matches!(waiting.node, NodeOfPod::Ready(_)))
        .filter_map(|waiting| Some((waiting, waiting.pod.object.metadata.deletion_timestamp?)))
        .filter(|(waiting, ends)| *ends > facts.now() && !found.says_it_goes(waiting.pod))
        .collect();
    let Some((last, ends)) = in_grace.iter().max_by_key(|(_, ends)| *ends) else { return Ok(()) };
    let pods: Vec<Ref> = in_grace.iter().map(|(waiting, _)| waiting.pod.into()).collect();
    let left = words(ends.duration_since(facts.now()));
    let are = if pods.len() == 1 { "is" } else { "are" };
    let summary = format!("{} {are} within the grace period until {} (in {left})", pods_in_words(&pods), clock(*ends));
    let draft = Draft::new(Cause::Progressing, pods[0].clone(), summary).evidence(
        "deletionTimestamp is in the future: the time of the request plus the grace period",
        &last.pod.into(),
        "metadata.deletionTimestamp",
    );
    found.add(
        draft
            .with_each(hooks(last.pod.object), |draft, text| draft.evidence(text, &last.pod.into(), "spec.containers"))
            .remedy(Remedy::command(
                format!("wait until {}, or shorten it", clock(*ends)),
                format_args!(
                    "kubectl delete {}{} --grace-period=SECONDS",
                    one("pod", last.pod.object.name()),
                    in_namespace(&last.pod.into())
                ),
                "waiting loses nothing",
            ))
            .objects(pods),
    );
    Ok(())
}

/// The hooks whose time counts towards the grace period.
fn hooks(pod: &Object) -> Option<String> {
    let names = with_hooks(pod);
    (!names.is_empty()).then(|| format!("the preStop hook of {} is included in it", names.join(", ")))
}
