//! The cause behind workloads that should act and have no pod: one cause may keep several of them
//! down, and is then the root instead of them.

use super::merge::Merged;
use crate::facts::{Facts, Known, Readable, each};
use crate::kubernetes::workloads::health;
use crate::needs::{Draft, Explains, Rule};
use crate::report::{Cause, ControllerState, Finding, Link, LinkState, Need, Ref};
use crate::rules::RULES;

/// Adds the refusal of pods as the cause of those `drafts` that wait for a workload without pods.
pub(super) fn look(drafts: &mut Vec<Draft>, facts: &Facts<'_>) -> Known {
    let looked = each(drafts.iter(), |draft| Ok(root_of(draft, facts).or_note(facts)?.flatten()))?;
    let mut roots = Merged::default();
    for (draft, root) in drafts.iter_mut().zip(looked) {
        let Some((workload, mut root)) = root else { continue };
        // A webhook that refuses its own pods is the cause already.
        if draft.finding.cause == Cause::Admission && draft.finding.waits_for == root.finding.waits_for {
            continue;
        }
        root.set_chain(joined(&draft.finding.chain, &root.finding.chain));
        root.finding.subject = draft.finding.subject.clone();
        root.finding.objects.clone_from(&draft.finding.objects);
        root.finding.root = draft.finding.root;
        *draft = draft.clone().rests_on(Need::acting(&workload));
        roots.add(root.explains(Need::acting(&workload)));
    }
    drafts.extend(roots.into_drafts());
    Ok(())
}

/// The workload without a pod that a finding waits for, and why it has none.
fn root_of(draft: &Draft, facts: &Facts<'_>) -> Known<Option<(Ref, Draft)>> {
    let Some(workload) = without_pods(&draft.finding, facts)? else { return Ok(None) };
    Ok(explained(&workload, facts)?.map(|root| (workload, root)))
}

/// Why a workload has no pod, according to the first rule that knows.
fn explained(workload: &Ref, facts: &Facts<'_>) -> Known<Option<Draft>> {
    for (rule, explains) in RULES.iter().flat_map(Rule::explained) {
        let Explains::HasPods(explain) = explains else { continue };
        if let Some(mut draft) = explain(workload, facts)? {
            draft.finding.rule = rule;
            return Ok(Some(draft));
        }
    }
    Ok(None)
}

/// The workload that the finding waits for, if none of its pods stays.
fn without_pods(finding: &Finding, facts: &Facts<'_>) -> Known<Option<Ref>> {
    let broken = finding.chain.iter().find(|link| link.state == LinkState::Broken).map(|link| &link.object);
    let down = finding.controller.as_ref().filter(|controller| controller.state == ControllerState::Down);
    let down = down.and_then(|controller| controller.workload.as_ref());
    // A finding waits for the workload itself, unless something that the workload needs is missing.
    let down = down.filter(|workload| finding.waits_for.as_ref() == Some(workload));
    let named = broken.or(down).filter(|object| !object.missing && is_workload(object));
    let Some(workload) = named else { return Ok(None) };
    let alone = health::has_no_pod(workload, facts)?;
    Ok(alone.then(|| workload.clone()))
}

fn is_workload(object: &Ref) -> bool {
    object.api_version.starts_with("apps/")
        && ["Deployment", "StatefulSet", "DaemonSet"].contains(&object.kind.as_str())
}

/// One chain: the links to the workload, and those behind it.
fn joined(before: &[Link], behind: &[Link]) -> Vec<Link> {
    let leads = before.iter().take_while(|link| link.object != behind[0].object).cloned();
    leads.chain(behind.iter().cloned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Named;

    #[test]
    fn workloads_are_those_of_kubernetes_that_run_pods() {
        let is = |api_version: &str, kind: &str| {
            is_workload(&Ref::from(Named { api_version: api_version.into(), kind: kind.into(), ..Named::default() }))
        };
        assert!(is("apps/v1", "Deployment") && is("apps/v1", "StatefulSet") && is("apps/v1", "DaemonSet"));
        assert!(!is("acme.io/v1", "Deployment") && !is("apps/v1", "ControllerRevision") && !is("v1", "Pod"));
    }
}
