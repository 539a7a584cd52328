//! The decisive facts of a cause in at most four labelled lines: what a finalizer guards, who set it,
//! which controller should remove it, quoted words, and the chain behind it. `-o wide` shows all other
//! evidence.

use crate::facts::{since, words};
use crate::report::{Controller, ControllerState, Evidence, Finding, Link, LinkState, Said};
use crate::screen::marks::{controller_word, link_mark};
use crate::screen::{clean, clean_words};
use jiff::Timestamp;

/// How many labelled lines a cause may have.
const MAX_LINES: usize = 4;
/// How many pieces of evidence are shown if no label applies.
const MAX_REASONS: usize = 2;
/// How many columns a chain may take; a longer one loses its beginning.
const MAX_CHAIN_WIDTH: usize = 90;

/// The label of the chain.
pub(crate) const BEHIND: &str = "behind it";

/// The label of quoted words.
pub(crate) const SAYS: &str = "says";

/// One labelled line.
pub(crate) type Labelled = (&'static str, String);

/// The decisive lines at the time `now`. None of them repeats the cause's own line.
pub(crate) fn labelled(finding: &Finding, now: Timestamp) -> Vec<Labelled> {
    let lines = [
        ("guards", guards(finding)),
        ("set by", set_by(finding, now)),
        // The controller that drains a node is named where its own finalizer is.
        ("controller", controller(finding).filter(|_| finding.finalizer.is_some())),
        ("looked at", finding.looked_at.as_ref().map(ToString::to_string)),
        (SAYS, finding.says.as_ref().map(|said| says(said, finding))),
    ];
    let cleaned = |(label, text): (&'static str, Option<String>)| Some((label, clean_words(&text?)));
    let mut lines: Vec<Labelled> = lines.into_iter().filter_map(cleaned).collect();
    // This line contains the program's own marks, and its text is clean already.
    lines.extend(behind(finding).map(|text| (BEHIND, text)));
    // The setter matters least if the controller that should remove it is known.
    if lines.len() > MAX_LINES {
        lines.retain(|(label, _)| *label != "set by");
    }
    if lines.is_empty() { reasons(finding) } else { lines }
}

/// The first pieces of evidence, for a cause without a labelled line.
fn reasons(finding: &Finding) -> Vec<Labelled> {
    let is_new =
        |evidence: &&Evidence| !evidence.in_summary && evidence.field.as_deref() != Some("metadata.finalizers");
    let line = |evidence: &Evidence| match &evidence.object {
        Some(object) if *object != finding.subject => format!("{object}: {}", evidence.text),
        _ => evidence.text.to_string(),
    };
    let texts = finding.evidence.iter().filter(is_new).take(MAX_REASONS).map(|evidence| clean_words(&line(evidence)));
    texts.enumerate().map(|(place, text)| (if place == 0 { "because" } else { "" }, text)).collect()
}

/// The work before the finalizer is removed, and the thing outside the cluster that it guards.
fn guards(finding: &Finding) -> Option<String> {
    match (&finding.guards, finding.outside.first()) {
        (Some(guards), Some(outside)) => Some(format!("{}: {guards}", outside.what)),
        (Some(guards), None) => Some(guards.to_string()),
        (None, outside) => outside.map(|outside| outside.what.to_string()),
    }
}

fn set_by(finding: &Finding, now: Timestamp) -> Option<String> {
    let by = finding.set_by.as_ref()?;
    let when = by.at.map(|at| format!(", at least {} ago", words(since(at, now)))).unwrap_or_default();
    Some(by.manager.clone() + &when)
}

/// The controller that should remove it, unless the cause's line names it.
fn controller(finding: &Finding) -> Option<String> {
    let is_gone = match &finding.controller {
        Some(Controller { workload: Some(workload), state, .. }) => {
            let stands = controller_word(*state);
            return (!finding.summary.names(workload)).then(|| format!("{workload}, {stands}"));
        }
        other => other.as_ref().is_some_and(|controller| controller.state == ControllerState::Gone),
    };
    let product = finding.product.as_ref().filter(|product| !product.is_its_controller)?;
    let missed = if is_gone { "not found: " } else { "" };
    Some(format!("{missed}{} ({})", product.controller, product.name))
}

/// The words of a server, a controller or a condition.
fn says(Said { words, object }: &Said, finding: &Finding) -> String {
    match object {
        Some(node) if node.kind == "Node" && *node != finding.subject => format!("{node}: {words}"),
        _ => words.to_string(),
    }
}

/// The chain of things that must work, down to the first broken one.
fn behind(finding: &Finding) -> Option<String> {
    let is_other = |link: &&Link| link.object != finding.subject && !finding.objects.contains(&link.object);
    let links: Vec<&Link> = finding.chain.iter().filter(is_other).collect();
    let is_named = links.iter().all(|link| finding.summary.names(&link.object));
    if is_named || links.iter().all(|link| link.state == LinkState::Fine) {
        return None;
    }
    // A part is not wrapped: see `block`.
    let part = |link: &&Link| format!("{} {}", link_mark(link.state), clean(&link.object)).replace(' ', "\u{a0}");
    let parts: Vec<String> = links.iter().map(part).collect();
    let joined = |from: usize| format!("{}{}", if from > 0 { "… → " } else { "" }, parts[from..].join(" → "));
    // The broken parts come last.
    let fits = |from: &usize| joined(*from).chars().count() <= MAX_CHAIN_WIDTH;
    Some(joined((0..parts.len() - 1).find(fits).unwrap_or(parts.len() - 1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::needs::Draft;
    use crate::report::{Cause, Named, Ref, Sentence, SetBy};
    use jiff::SignedDuration;

    fn named(kind: &str, name: &str) -> Ref {
        Ref::from(Named { kind: kind.into(), namespace: Some("ops".into()), name: name.into(), ..Named::default() })
    }

    /// The lines three days after the epoch.
    fn lines(draft: &Draft) -> Vec<Labelled> {
        labelled(&draft.finding, Timestamp::UNIX_EPOCH + SignedDuration::from_hours(72))
    }

    fn held(summary: impl Into<Sentence>) -> Draft {
        let object = named("Database", "orders");
        Draft::new(Cause::Finalizer, object.clone(), summary)
            .finalizer("acme.io/backup")
            .evidence("finalizer acme.io/backup", &object, "metadata.finalizers")
            .set_by(SetBy { manager: "acme-operator".into(), at: Some(Timestamp::UNIX_EPOCH) }, "", &object)
    }

    fn controller(state: ControllerState) -> Controller {
        Controller { workload: Some(named("Deployment", "acme")), state, evidence: Vec::new() }
    }

    #[test]
    fn a_controller_is_named_once() {
        let of = |summary: Sentence| lines(&held(summary).controller(controller(ControllerState::Down)));
        let set_by = ("set by", "acme-operator, at least 3d ago".to_owned());
        assert_eq!(
            of(Sentence::from("x waits: ").then(&named("Deployment", "acme")).then(" is scaled to 0 replicas")),
            vec![set_by.clone()]
        );
        assert_eq!(of("x waits".into()), vec![set_by, ("controller", "Deployment ops/acme, down".to_owned())]);
    }

    #[test]
    fn guards_name_external_resources_and_four_lines_are_enough() {
        let chain = ["a", "b"].map(|name| Link::new(named("Service", name), LinkState::Broken, "x"));
        let draft = held("x waits")
            .controller(controller(ControllerState::Alive))
            .outside("load balancer a1", &named("Database", "orders"), "status")
            .guards("it is deleted first")
            .remark("LIST things: server error")
            .quoting("LIST things: server error", None)
            .chain(chain.to_vec());
        let lines = lines(&draft);
        let labels: Vec<&str> = lines.iter().map(|(label, _)| *label).collect();
        assert_eq!(labels, ["guards", "controller", "says", "behind it"]);
        assert_eq!(lines[0].1, "load balancer a1: it is deleted first");
        assert_eq!(lines[3].1, "✗\u{a0}Service\u{a0}ops/a → ✗\u{a0}Service\u{a0}ops/b");
    }

    #[test]
    fn nothing_is_repeated_and_evidence_replaces_missing_labels() {
        let node = Ref::from(Named { kind: "Node".into(), name: "n-1".into(), ..Named::default() });
        let pod = named("Pod", "a");
        let draft = Draft::new(Cause::Kubelet, pod.clone(), "Pod ops/a waits for node n-1, which is not ready");
        let draft = draft.evidence("on node n-1", &pod, "spec.nodeName").in_summary();
        let draft = draft.evidence("phase Pending", &pod, "status.phase");
        assert_eq!(lines(&draft), [("because", "phase Pending".to_owned())]);
        let unknown = "Ready is Unknown (NodeStatusUnknown)";
        let draft = draft.evidence(unknown, &node, "status.conditions[Ready]").quoting(unknown, Some(&node));
        assert_eq!(lines(&draft), [("says", format!("Node n-1: {unknown}"))]);
    }
}
