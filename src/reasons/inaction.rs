//! Controllers that exist and do not act: they do not run where the object needs them, or ignore the object.
//! The texts, and the remedies.

use crate::kubernetes::ownership::scope::{Only, OutsideScope};
use crate::kubernetes::progress::confirmation::Confirmation;
use crate::kubernetes::progress::reasons::{AgentPlace, LooksAway, NotThere, Pause, RemoteCluster, Switch};
use crate::kubernetes::progress::{Explanation, Judgement};
use crate::kubernetes::workloads::placement::Exclusion;
use crate::needs::Draft;
use crate::plan::{full_name, quote};
use crate::report::{ControllerState, Ref, Remedy, Sentence};
use serde_json::{Value, json};

/// The text why `name`, which should act, does not; empty if that is not known.
pub(crate) fn because(found: &Judgement<'_>, name: Sentence) -> Sentence {
    match &found.why {
        Explanation::NotThere(why) => not_there(why, name),
        Explanation::LooksAway(why) => looks_away(why, name, found.controller.state),
        _ => Sentence::default(),
    }
}

/// The facts that were checked, if no reason or no controller is known.
pub(crate) fn looked_at(found: &Judgement<'_>, reads_logs: bool) -> Option<Sentence> {
    let first = match (&found.why, &found.controller.workload) {
        (Explanation::Gone { .. }, _) => Sentence::default(),
        (Explanation::Unknown, None) => "no controller found for it".into(),
        (Explanation::Unknown | Explanation::Idle, Some(workload)) => {
            let log = if reads_logs { ", and its log" } else { ", not its log (--logs reads it)" };
            Sentence::from("the conditions and events of the object, and the pods of ").then(workload).then(log)
        }
        _ => return None,
    };
    let first = match &found.lead {
        Some(lead) => lead.clone().then("; otherwise ").then(first),
        None => first,
    };
    let more = found.aside.iter().take(2).cloned().chain(found.unread.first().cloned());
    let all = more.fold(first, |all, more| if all.is_empty() { more } else { all.then("; ").then(more) });
    (!all.is_empty()).then_some(all)
}

/// The object that must be repaired.
pub(crate) fn missed(found: &Judgement<'_>) -> Option<Ref> {
    match &found.why {
        Explanation::NotThere(why) => missing(why).or_else(|| found.controller.workload.clone()),
        Explanation::LooksAway(
            LooksAway::Paused(Pause { of, .. })
            | LooksAway::Unconfirmed { of, .. }
            | LooksAway::OfAnotherClass { class: of, .. },
        ) => Some(of.clone()),
        _ => found.controller.workload.clone(),
    }
}

/// Whether two objects that were read say the same. For the place of an agent, no object says so: that
/// agents work only for their own node is common, but never proven.
pub(crate) fn is_sure(found: &Judgement<'_>) -> bool {
    let Explanation::LooksAway(why) = &found.why else { return false };
    matches!(why, LooksAway::Paused(Pause { sure: true, .. }) | LooksAway::Outside { sure: true, .. })
}

/// The remedy that makes it act on `first`.
pub(crate) fn remedy(found: &Judgement<'_>, first: &Ref, clean_up: &str) -> Option<Remedy> {
    let workload = found.controller.workload.as_ref();
    match (&found.why, workload) {
        (Explanation::NotThere(why), Some(workload)) => bring(why, workload, clean_up),
        (Explanation::LooksAway(why), _) => Some(attract(why, first, workload, clean_up)),
        _ => None,
    }
}

/// The text why `name`, which should act, does not run where the object needs it.
fn not_there(why: &NotThere, name: Sentence) -> Sentence {
    match why {
        NotThere::NodeGone(AgentPlace { node, field, .. }) => Sentence::from(node)
            .then(format!(", which {field} names, does not exist: no pod of "))
            .then(name)
            .then(" can run there"),
        NotThere::NoAgent { place, why } => {
            let why = why.as_ref().map(|why| format!(": {}", left_out(why))).unwrap_or_default();
            name.then(" runs, but has no pod on ").then(&place.node).then(why)
        }
        NotThere::NoAgentInZone { zone, has_nodes: true, .. } => {
            name.then(format!(" runs, but has no pod on a node of zone {zone}"))
        }
        NotThere::NoAgentInZone { zone, has_nodes: false, .. } => {
            Sentence::from(format!("no node is in zone {zone} any more: no pod of ")).then(name).then(" can run there")
        }
        NotThere::AgentDown { place, pod, reason } => Sentence::from(pod)
            .then(", which does its work on ")
            .then(&place.node)
            .then(", is down: ")
            .then(Sentence::reason(reason)),
        NotThere::NamedPodDown { pod, reason } => {
            Sentence::from(pod).then(", which its status names, is down: ").then(Sentence::reason(reason))
        }
        NotThere::NoDriver { place, driver } => {
            Sentence::from(format!("driver {driver} is not registered on ")).then(&place.node)
        }
        NotThere::HolderGone { lease, holder } => Sentence::from(lease)
            .then(format!(" is held by {holder}, which does not exist, and "))
            .then(name)
            .then(" is not the leader"),
        NotThere::LedByAnother { lease, pod } => {
            name.then(" runs, but ").then(pod).then(" of another release holds ").then(lease)
        }
    }
}

fn left_out(why: &Exclusion) -> String {
    match why {
        Exclusion::Selector(label) => format!("its nodeSelector asks for label {label}"),
        Exclusion::Affinity => "its node affinity excludes that node".to_owned(),
        Exclusion::Taint(taint) => format!("it does not tolerate taint {taint}"),
    }
}

/// The text why `name`, in this state, ignores the object.
fn looks_away(why: &LooksAway, name: Sentence, state: ControllerState) -> Sentence {
    let stands = if state == ControllerState::Down { " is not running, and " } else { " runs, but " };
    match why {
        LooksAway::Paused(Pause { own: true, by: Some(by), .. }) => {
            name.then(format!(" runs; ignores the object while it is paused by {}", by.text()))
        }
        LooksAway::Paused(Pause { of, by: Some(by), .. }) => {
            let ignores = name.then(" runs; ignores the object while ").then(of);
            ignores.then(format!(", to which it belongs, is paused by {}", by.text()))
        }
        LooksAway::Paused(Pause { by: None, .. }) => "its controller says that it is paused".into(),
        LooksAway::Unconfirmed { confirmation: Confirmation { part, .. }, .. } => {
            let of = part.as_ref().map(|part| format!(" of {part}")).unwrap_or_default();
            name.then(format!(" waits until somebody confirms the deletion{of}"))
        }
        LooksAway::Outside { outside, .. } => name.then(stands).then(looks_at(outside)),
        LooksAway::Confined { to } => name.then(stands).then(format!("may work on this kind only in namespace {to}")),
        LooksAway::TooEarly { definition, going: false } => {
            name.then(" was started before ").then(definition).then(" existed, and perhaps does not watch its objects")
        }
        LooksAway::TooEarly { definition, going: true } => name
            .then(" was started while ")
            .then(definition)
            .then(" was being deleted, and perhaps does not watch its objects"),
        LooksAway::OfAnotherClass { class, field, controller } => {
            name.then(format!("{stands}{field} names ")).then(class).then(format!(", which is that of {controller}"))
        }
    }
}

fn looks_at(outside: &OutsideScope) -> String {
    match &outside.only {
        Only::In(names) if names.len() == 1 => format!("watches only namespace {}", names[0]),
        Only::In(names) => format!("watches only namespaces {}", names.join(", ")),
        Only::NotIn(name) => format!("does not watch namespace {name}"),
        Only::Labels(selector) => format!("watches only objects with labels {selector}"),
        Only::InLabelled(selector) => format!("watches only namespaces with labels {selector}"),
        Only::Marked { field, has: Some(has), .. } => {
            format!("is configured with {}, and {field} is {has}", outside.told)
        }
        Only::Marked { field, has: None, .. } => {
            format!("is configured with {}, and the object has no {field}", outside.told)
        }
    }
}

/// The object that must be repaired instead of the controller.
fn missing(why: &NotThere) -> Option<Ref> {
    Some(match why {
        NotThere::NodeGone(place) | NotThere::NoAgent { place, .. } | NotThere::NoDriver { place, .. } => {
            place.node.clone()
        }
        NotThere::NoAgentInZone { .. } => return None,
        NotThere::AgentDown { pod, .. } | NotThere::NamedPodDown { pod, .. } => pod.clone(),
        NotThere::HolderGone { lease, .. } | NotThere::LedByAnother { lease, .. } => lease.clone(),
    })
}

/// Adds the evidence that a controller does not act.
pub(crate) fn evidence(draft: Draft, found: &Judgement<'_>) -> Draft {
    match &found.why {
        Explanation::NotThere(why) => evidence_of_place(draft, why),
        Explanation::LooksAway(why) => evidence_of_scope(draft, why, found.controller.workload.as_ref()),
        _ => found.remote.iter().fold(draft, |draft, RemoteCluster { secret, field }| {
            let waiting = draft.finding.subject.clone();
            draft.evidence(format!("names {secret}, the kubeconfig of another cluster"), &waiting, field)
        }),
    }
}

/// Adds the evidence that a controller does not run where it must.
fn evidence_of_place(draft: Draft, why: &NotThere) -> Draft {
    match why {
        NotThere::NodeGone(AgentPlace { node, of, field })
        | NotThere::NoAgent { place: AgentPlace { node, of, field }, .. }
        | NotThere::AgentDown { place: AgentPlace { node, of, field }, .. }
        | NotThere::NoDriver { place: AgentPlace { node, of, field }, .. } => {
            draft.evidence(format!("it is for {node}"), of, field)
        }
        NotThere::NoAgentInZone { zone, of, field, .. } => draft.evidence(format!("it is for zone {zone}"), of, field),
        NotThere::HolderGone { lease, holder } => {
            draft.evidence(format!("held by {holder}"), lease, "spec.holderIdentity")
        }
        NotThere::NamedPodDown { pod, reason } => draft.evidence(Sentence::reason(reason), pod, "status"),
        NotThere::LedByAnother { lease, pod } => draft.evidence(format!("held by {pod}"), lease, "spec.holderIdentity"),
    }
}

/// Adds the evidence that a controller ignores the object.
fn evidence_of_scope(draft: Draft, why: &LooksAway, workload: Option<&Ref>) -> Draft {
    match why {
        LooksAway::Paused(Pause { of, by, said, .. }) => {
            let draft = draft.with_each(by, |draft, by| draft.evidence(by.text(), of, &by.field()));
            let waiting = draft.finding.subject.clone();
            said.iter().fold(draft, |draft, said| draft.evidence(said.clone(), &waiting, "status.conditions"))
        }
        LooksAway::Outside { outside, .. } => draft.with_each(workload, |draft, workload| {
            let text = format!("it is configured with {}", outside.told);
            draft.evidence(text, workload, "spec.template.spec.containers")
        }),
        LooksAway::Unconfirmed { of, confirmation } => draft.evidence("is true", of, &confirmation.field),
        LooksAway::OfAnotherClass { class, controller, .. } => {
            draft.evidence(format!("names {controller}"), class, "spec")
        }
        LooksAway::Confined { .. } | LooksAway::TooEarly { .. } => draft,
    }
}

/// The remedy that makes it run where it must. Nothing runs on a node that does not exist.
fn bring(why: &NotThere, workload: &Ref, clean_up: &str) -> Option<Remedy> {
    let describe = |object: &Ref| format!("kubectl describe {}", full_name(object));
    let edit = || format!("kubectl edit {}", full_name(workload));
    let (title, command) = match why {
        NotThere::NodeGone(_) => return None,
        NotThere::NoAgent { place, why } => {
            let title = format!("let {workload} run on {}", place.node);
            match why {
                Some(Exclusion::Selector(label)) => {
                    (title, format!("kubectl label {} {}", quote(&place.node.kubectl()), quote(label)))
                }
                Some(Exclusion::Taint(taint)) => (format!("{title}, with a toleration of {taint}"), edit()),
                Some(Exclusion::Affinity) => (title, edit()),
                None => (title, describe(workload)),
            }
        }
        NotThere::NoAgentInZone { zone, has_nodes, .. } => {
            let title = if *has_nodes {
                format!("let {workload} run on a node of zone {zone}")
            } else {
                format!("bring back a node of zone {zone}, so that {workload} runs there")
            };
            (title, "kubectl get nodes -L topology.kubernetes.io/zone".to_owned())
        }
        NotThere::AgentDown { pod, .. } | NotThere::NamedPodDown { pod, .. } => {
            (format!("repair {pod}"), describe(pod))
        }
        NotThere::NoDriver { place, driver } => {
            let node = quote(&format!("spec.nodeName={}", place.node.name));
            let title = format!("repair driver {driver} on {}: check its pod there", place.node);
            (title, format!("kubectl get pods -A --field-selector {node}"))
        }
        NotThere::HolderGone { lease, .. } => {
            return Some(Remedy::command(
                "make one of its pods the leader",
                format_args!("kubectl delete {}", full_name(lease)),
                format!("another replica that renews the lease may work at the same time; {clean_up}"),
            ));
        }
        NotThere::LedByAnother { pod, .. } => {
            (format!("check whether {pod} should handle it; if not, remove that release"), describe(pod))
        }
    };
    Some(Remedy::command(title, command, clean_up))
}

/// The remedy that makes the controller reconcile `first`.
fn attract(why: &LooksAway, first: &Ref, workload: Option<&Ref>, clean_up: &str) -> Remedy {
    let who = workload.map_or_else(|| "its controller".to_owned(), ToString::to_string);
    let by = |title: String, verb: &str, flags: &str| match workload {
        Some(workload) => Sentence::from(title).by(format_args!("kubectl {verb} {}{flags}", full_name(workload))),
        None => title.into(),
    };
    let place = first.namespace.as_deref().unwrap_or_default();
    match why {
        LooksAway::Paused(pause) => resume(pause, clean_up),
        LooksAway::Unconfirmed { of, confirmation } => confirm(of, confirmation, clean_up),
        LooksAway::Outside { outside: OutsideScope { told, only }, .. } => {
            let title = match only {
                Only::In(_) | Only::NotIn(_) | Only::InLabelled(_) => {
                    format!(
                        "let {who} also watch namespace {place} (it is configured with {told}), or run another one for it"
                    )
                }
                Only::Labels(_) => {
                    format!("let {who} also watch {first} (it is configured with {told}), or run another one for it")
                }
                Only::Marked { has, .. } => {
                    let own = has.as_ref().map(|has| format!(" for {has}")).unwrap_or_default();
                    format!("start the controller{own} again, or change {told} of {who}, so that it handles {first}")
                }
            };
            let restarted = format!("it restarts, and handles everything that it then watches; {clean_up}");
            Remedy::manual(by(title, "edit", ""), restarted)
        }
        LooksAway::Confined { .. } => Remedy::manual(
            format!("also apply the product's own RBAC for namespace {place}: {who} has no permissions there"),
            clean_up,
        ),
        LooksAway::OfAnotherClass { field, .. } => {
            let title = format!("give {first} the class of {who} in {field}, so that it can finish");
            Remedy::command(title, format_args!("kubectl edit {}", full_name(first)), clean_up)
        }
        LooksAway::TooEarly { going: false, .. } => Remedy::manual(
            by(format!("restart {who}"), "rollout restart", ""),
            format!("all its work stops for a moment; {clean_up}"),
        ),
        LooksAway::TooEarly { going: true, .. } => {
            let title = format!("check whether {who} watches the kind at all");
            Remedy::manual(by(title, "logs", " --all-containers --since=1h"), "nothing is lost")
        }
    }
}

fn resume(pause: &Pause, clean_up: &str) -> Remedy {
    let Pause { of, own, by, .. } = pause;
    let object = full_name(of);
    let command = match by {
        Some(Switch::Field(name, value)) => {
            let resumed = match (*name, value.starts_with('"')) {
                ("managementState", _) => json!("Managed"),
                (_, true) => json!("false"),
                (_, false) => json!(false),
            };
            let patch: Value = json!({"spec": {*name: resumed}});
            format!("kubectl patch {object} --type=merge -p {}", quote(&patch.to_string()))
        }
        Some(Switch::Annotation(key, _)) => format!("kubectl annotate {object} {}", quote(&format!("{key}-"))),
        Some(Switch::Label(key, _)) => format!("kubectl label {object} {}", quote(&format!("{key}-"))),
        None => {
            let look = format_args!("kubectl describe {object}");
            return Remedy::command("find out what pauses it, and resume it", look, clean_up);
        }
    };
    if *own {
        return Remedy::command("resume it", command, clean_up);
    }
    let consequence = format!("its controller resumes its work on everything that belongs to {of}; {clean_up}");
    Remedy::command(format!("resume {of}"), command, consequence)
}

/// The remedy to confirm a deletion, with a time that is no earlier than the deletion.
fn confirm(of: &Ref, confirmation: &Confirmation, clean_up: &str) -> Remedy {
    let Confirmation { part, annotation, asked, .. } = confirmation;
    let what = part.as_deref().unwrap_or("it");
    let title = match (annotation, asked) {
        (Some(key), Some(asked)) => Sentence::from(format!("confirm that {what} may be deleted"))
            .by(format_args!("kubectl annotate {} {key}={asked}", full_name(of))),
        (Some(key), None) => format!(
            "once you have deleted it, confirm that {what} may be deleted: set annotation {key} to its deletionTimestamp"
        )
        .into(),
        (None, _) => Sentence::from(format!("find out how to confirm that {what} may be deleted"))
            .by(format_args!("kubectl describe {}", full_name(of))),
    };
    Remedy::manual(title, clean_up)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Named;

    fn pause(by: Option<Switch>, own: bool) -> Pause {
        let of = Named {
            api_version: "acme.io/v1".into(),
            kind: "Fleet".into(),
            resource: "fleets".into(),
            namespace: Some("shop".into()),
            name: "west".into(),
            ..Named::default()
        };
        Pause { of: of.into(), own, by, said: None, sure: false }
    }

    #[test]
    fn each_kind_of_pause_has_its_resume_command() {
        let title = |by: Switch, own: bool| resume(&pause(Some(by), own), "nothing is lost").title.to_string();
        assert_eq!(
            title(Switch::Field("paused", "true".into()), true),
            r#"resume it: kubectl patch fleets.acme.io/west -n shop --type=merge -p '{"spec":{"paused":false}}'"#
        );
        assert!(
            title(Switch::Field("suspend", "\"True\"".into()), true).ends_with(r#"'{"spec":{"suspend":"false"}}'"#)
        );
        assert_eq!(
            title(Switch::Annotation("acme.io/reconcile".into(), "disabled".into()), false),
            "resume Fleet shop/west: kubectl annotate fleets.acme.io/west -n shop acme.io/reconcile-"
        );
        let evil = title(Switch::Label("acme.io/pa'used".into(), "true".into()), true);
        assert!(evil.ends_with(r"'acme.io/pa'\''used-'"), "{evil}");
    }
}
