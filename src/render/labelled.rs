//! What decides a cause, in at most four labelled lines: what a finalizer guards, who set
//! it, who should release it, what was said, and what stands behind it. All else is
//! evidence, which `-o wide` shows.

use super::marks::{controller_word, link_mark};
use super::{clean, clean_words};
use crate::kubernetes::outside;
use crate::report::{Controller, ControllerState, Evidence, Finding, Link, LinkState};
use std::collections::HashSet;

/// So many lines of one cause.
const LINES: usize = 4;
/// So many where none of the labels fits.
const REASONS: usize = 2;
/// A chain that is longer loses its beginning.
const CHAIN: usize = 90;
/// A word that says something.
const WORD: usize = 3;

/// The label of what must work before it can.
pub(super) const BEHIND: &str = "behind it";

/// The label of somebody's words.
pub(super) const SAYS: &str = "says";

/// One labelled line.
pub(super) type Labelled = (&'static str, String);

/// The lines that decide. None repeats what the cause's own line says.
pub(super) fn labelled(finding: &Finding) -> Vec<Labelled> {
    let lines = [
        ("guards", guards(finding)),
        ("set by", set_by(finding)),
        ("controller", controller(finding)),
        (SAYS, says(finding)),
        (BEHIND, behind(finding)),
    ];
    let mut lines: Vec<Labelled> = lines
        .into_iter()
        .filter_map(|(label, text)| {
            // What stands behind it has marks of our own, and was cleaned before they came.
            let cleaned = |text: String| if label == BEHIND { text } else { clean_words(&text) };
            Some((label, cleaned(text?)))
        })
        .filter(|(label, text)| *label == BEHIND || !is_said(text, &clean_words(&finding.summary)))
        .collect();
    // Who set it matters least once it is known who should release it.
    if lines.len() > LINES {
        lines.retain(|(label, _)| *label != "set by");
    }
    if lines.is_empty() { reasons(finding) } else { lines }
}

/// What was read, where nothing else is there to tell.
fn reasons(finding: &Finding) -> Vec<Labelled> {
    let told = |evidence: &&Evidence| {
        evidence.field.as_deref() != Some("metadata.finalizers")
            && !is_said(&clean_words(&evidence.text), &clean_words(&finding.summary))
    };
    let line = |evidence: &Evidence| match &evidence.object {
        Some(object) if *object != finding.subject => format!("{object}: {}", evidence.text),
        _ => evidence.text.clone(),
    };
    let texts = finding.evidence.iter().filter(told).take(REASONS).map(|evidence| clean_words(&line(evidence)));
    texts.enumerate().map(|(place, text)| (if place == 0 { "because" } else { "" }, text)).collect()
}

/// What is done before the finalizer comes off, and what stands outside the cluster for it.
fn guards(finding: &Finding) -> Option<String> {
    let after = |prefix| finding.evidence.iter().find_map(|evidence| evidence.text.strip_prefix(prefix));
    match (after("guards: "), after(outside::EVIDENCE)) {
        (Some(what), Some(outside)) => Some(format!("{outside}: {what}")),
        (what, outside) => what.or(outside).map(str::to_owned),
    }
}

fn set_by(finding: &Finding) -> Option<String> {
    let of_fields = |evidence: &&Evidence| evidence.field.as_deref() == Some("metadata.managedFields");
    finding
        .evidence
        .iter()
        .filter(of_fields)
        .find_map(|evidence| evidence.text.strip_prefix("set by "))
        .map(str::to_owned)
}

/// Who should release it, where the cause's line does not name that.
fn controller(finding: &Finding) -> Option<String> {
    let known = finding.evidence.iter().find_map(|evidence| evidence.text.strip_prefix("belongs to "));
    let known = known.and_then(|text| text.split_once(", released by "));
    let stands = finding.controller.as_ref().map(|it| (it, controller_word(it.state)));
    match (stands, known) {
        (Some((Controller { workload: Some(workload), .. }, stands)), _) => {
            let name = workload.to_string();
            (!finding.summary.contains(&name)).then(|| format!("{name}, {stands}"))
        }
        (Some((Controller { state: ControllerState::Gone, .. }, _)), Some((product, who))) => {
            Some(format!("not found: {who} ({product})"))
        }
        (_, Some((product, who))) => Some(format!("{who} ({product})")),
        _ => None,
    }
}

/// What a server, a controller or a condition says.
fn says(finding: &Finding) -> Option<String> {
    let said = |evidence: &Evidence| {
        let (text, field) = (&evidence.text, evidence.field.as_deref().unwrap_or_default());
        let words = text.split_once(" is refused: ").filter(|(lead, _)| lead.starts_with("a trial "));
        let answer = ["LIST ", "GET ", "DELETE ", "event "].iter().any(|verb| text.starts_with(verb));
        let quoted = answer || field.starts_with("status.conditions[") || field == "status.detachError";
        let text = words.map(|(_, words)| words).or_else(|| quoted.then_some(text.as_str()))?;
        let node = evidence.object.as_ref().filter(|object| **object != finding.subject && object.kind == "Node");
        Some(node.map_or_else(String::new, |node| format!("{node}: ")) + unwrapped(text))
    };
    let texts: Vec<String> = finding.evidence.iter().filter_map(said).collect();
    texts.into_iter().find(|text| !is_said(&clean_words(text), &clean_words(&finding.summary)))
}

/// What an API server puts before the reason itself.
const WRAPPERS: [&str; 4] = [
    "Failed to delete all resource types",
    "Internal error occurred",
    "failed calling webhook",
    "failed to call webhook",
];

/// The reason without what is wrapped around it.
fn unwrapped(text: &str) -> &str {
    match text.split_once(": ") {
        Some((lead, rest)) if WRAPPERS.iter().any(|wrapper| lead.starts_with(wrapper)) => unwrapped(rest),
        _ => text,
    }
}

/// The chain of what must work, down to the first part that does not.
fn behind(finding: &Finding) -> Option<String> {
    let own = |link: &&Link| link.object != finding.subject && !finding.objects.contains(&link.object);
    let links: Vec<&Link> = finding.chain.iter().filter(own).collect();
    let told = links.iter().all(|link| finding.summary.contains(&link.object.to_string()));
    if told || links.iter().all(|link| link.state == LinkState::Fine) {
        return None;
    }
    // A part stays in one piece: see `block`.
    let part =
        |link: &&Link| format!("{} {}", link_mark(link.state), clean(&link.object.to_string())).replace(' ', "\u{a0}");
    let parts: Vec<String> = links.iter().map(part).collect();
    let joined = |from: usize| format!("{}{}", if from > 0 { "… → " } else { "" }, parts[from..].join(" → "));
    // The last parts are those that are broken.
    let from = (0..parts.len() - 1).find(|from| joined(*from).chars().count() <= CHAIN).unwrap_or(parts.len() - 1);
    Some(joined(from))
}

/// Whether the words of a text have nearly all been said.
fn is_said(text: &str, already: &str) -> bool {
    let words = |text: &str| -> HashSet<String> {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() >= WORD);
        words.map(str::to_lowercase).collect()
    };
    let (told, said) = (words(text), words(already));
    let new = told.iter().filter(|word| !said.contains(*word)).count();
    new <= told.len() / 5 || (new == 1 && (2..=4).contains(&told.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::needs::Draft;
    use crate::report::{Cause, Named, Ref};

    fn named(kind: &str, name: &str) -> Ref {
        Ref::from(Named { kind: kind.into(), namespace: Some("ops".into()), name: name.into(), ..Named::default() })
    }

    fn held(summary: &str) -> Draft {
        Draft::new(Cause::Finalizer, named("Database", "orders"), summary)
            .finalizer("acme.io/backup")
            .evidence("finalizer acme.io/backup", &named("Database", "orders"), "metadata.finalizers")
            .evidence("set by acme-operator, at least 3d ago", &named("Database", "orders"), "metadata.managedFields")
    }

    fn controller(state: ControllerState) -> Controller {
        Controller { workload: Some(named("Deployment", "acme")), state, evidence: Vec::new() }
    }

    #[test]
    fn a_controller_is_named_once() {
        let of = |summary: &str| labelled(&held(summary).controller(controller(ControllerState::Down)).finding);
        let set_by = ("set by", "acme-operator, at least 3d ago".to_owned());
        assert_eq!(of("x waits: Deployment ops/acme is scaled to 0 replicas"), vec![set_by.clone()]);
        assert_eq!(of("x waits"), vec![set_by, ("controller", "Deployment ops/acme, down".to_owned())]);
    }

    #[test]
    fn what_it_guards_is_told_with_what_stands_outside_and_four_lines_are_enough() {
        let chain = ["a", "b"].map(|name| Link::new(named("Service", name), LinkState::Broken, "x"));
        let draft = held("x waits")
            .controller(controller(ControllerState::Alive))
            .remark("outside the cluster: load balancer a1")
            .remark("guards: it is deleted first")
            .remark("LIST things: server error")
            .chain(chain.to_vec());
        let lines = labelled(&draft.finding);
        let labels: Vec<&str> = lines.iter().map(|(label, _)| *label).collect();
        assert_eq!(labels, ["guards", "controller", "says", "behind it"]);
        assert_eq!(lines[0].1, "load balancer a1: it is deleted first");
        assert_eq!(lines[3].1, "✗\u{a0}Service\u{a0}ops/a → ✗\u{a0}Service\u{a0}ops/b");
    }

    #[test]
    fn nothing_is_said_again_and_without_labels_the_evidence_speaks() {
        let node = Ref::from(Named { kind: "Node".into(), name: "n-1".into(), ..Named::default() });
        let says = |text: &str| {
            let pod = named("Pod", "a");
            let draft = Draft::new(Cause::Kubelet, pod.clone(), "Pod ops/a waits for node n-1, which is not ready");
            let draft = draft.evidence("phase Pending", &pod, "status.phase");
            labelled(&draft.evidence(text, &node, "status.conditions[Ready]").finding)
        };
        let unknown = "Ready is Unknown (NodeStatusUnknown)";
        assert_eq!(says(unknown), [("says", format!("Node n-1: {unknown}"))]);
        assert_eq!(says("node n-1 not ready"), [("because", "phase Pending".to_owned())]);
    }

    #[test]
    fn a_reason_is_shown_without_what_is_wrapped_around_it() {
        let text = "Failed to delete all resource types, 1 remaining: Internal error occurred: failed calling webhook \
            \"a\": failed to call webhook: Post \"https://a.b.svc\": service \"a\" not found";
        assert_eq!(unwrapped(text), "Post \"https://a.b.svc\": service \"a\" not found");
        assert_eq!(unwrapped("ServiceNotFound: it is not"), "ServiceNotFound: it is not");
    }
}
