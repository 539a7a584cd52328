//! The agent has no pod on the node or in the zone of the object.

use super::agent_place::AgentPlace;
use super::common::{Case, FoundReason, NamedReason, Stage, WordedReason};
use crate::kubernetes::workloads::placement::Exclusion;
use crate::plan::{full_name, quote};
use crate::report::{Ref, Remedy, Sentence};

pub(crate) const REASON: NamedReason = NamedReason::new("no-agent", include_str!("no_agent.md"), Stage::Place);

pub(super) fn found_on_node<'s>(place: AgentPlace, why: Option<Exclusion>) -> FoundReason<'s> {
    REASON.found(move |case| on_node(case, &place, why.as_ref()))
}

pub(super) fn found_in_zone<'s>(zone: String, of: Ref, field: String, has_nodes: bool) -> FoundReason<'s> {
    REASON.found(move |case| in_zone(case, &zone, &of, &field, has_nodes))
}

/// It has no pod on the node; `why`, if that can be seen.
fn on_node<'s>(case: &Case<'_, 's>, place: &AgentPlace, why: Option<&Exclusion>) -> WordedReason<'s> {
    let AgentPlace { node, of, field } = place;
    let left_out = why.map(|why| format!(": {}", left_out(why))).unwrap_or_default();
    let because = case.name().then(" runs, but has no pod on ").then(node).then(left_out);
    let answer = REASON.likely(case, because).waits_for(node.clone()).can_be_mended(true);
    let way = case.workload().map(|workload| let_run(workload, node, why, &case.clean_up()));
    answer.evidence(format!("it is for {node}"), of, field).remedies(way)
}

/// It has no pod in a zone, which `of` names in `field`; the zone may have nodes.
fn in_zone<'s>(case: &Case<'_, 's>, zone: &str, of: &Ref, field: &str, has_nodes: bool) -> WordedReason<'s> {
    let because = if has_nodes {
        case.name().then(format!(" runs, but has no pod on a node of zone {zone}"))
    } else {
        let no_node = format!("no node is in zone {zone} any more: no pod of ");
        Sentence::from(no_node).then(case.name()).then(" can run there")
    };
    let way = case.workload().map(|workload| {
        let title = if has_nodes {
            format!("let {workload} run on a node of zone {zone}")
        } else {
            format!("bring back a node of zone {zone}, so that {workload} runs there")
        };
        Remedy::command(title, "kubectl get nodes -L topology.kubernetes.io/zone", case.clean_up())
    });
    let answer = REASON.likely(case, because).can_be_mended(true);
    answer.evidence(format!("it is for zone {zone}"), of, field).remedies(way)
}

fn left_out(why: &Exclusion) -> String {
    match why {
        Exclusion::Selector(label) => format!("its nodeSelector asks for label {label}"),
        Exclusion::Affinity => "its node affinity excludes that node".to_owned(),
        Exclusion::Taint(taint) => format!("it does not tolerate taint {taint}"),
    }
}

fn let_run(workload: &Ref, node: &Ref, why: Option<&Exclusion>, clean_up: &str) -> Remedy {
    let title = format!("let {workload} run on {node}");
    let edit = || format!("kubectl edit {}", full_name(workload));
    let (title, command) = match why {
        Some(Exclusion::Selector(label)) => {
            (title, format!("kubectl label {} {}", quote(&node.kubectl()), quote(label)))
        }
        Some(Exclusion::Taint(taint)) => (format!("{title}, with a toleration of {taint}"), edit()),
        Some(Exclusion::Affinity) => (title, edit()),
        None => (title, format!("kubectl describe {}", full_name(workload))),
    };
    Remedy::command(title, command, clean_up)
}
