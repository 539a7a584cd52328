//! `owners`: each object with its owners and dependents, one per line.

use super::brief::{Page, Several, in_words};
use super::facts::FactList;
use super::fit::ToolAnswer;
use crate::report::{Node, OwnershipReport, Sentence};
use crate::survey::Survey;

/// How many finalizers of an object are named.
const FINALIZERS: usize = 5;

/// The answer about these owners.
pub(super) fn owned(report: &OwnershipReport, survey: &Survey, page: Page) -> ToolAnswer {
    let mut facts = FactList::default();
    for target in &report.targets {
        facts.add("asked about", about(target));
        below(target, &mut facts);
    }
    for (cause, number) in report.root_causes().iter().zip(1..) {
        for finding in cause {
            facts.say(&format!("cause {number}"), &finding.summary);
        }
    }
    for note in &report.unread {
        facts.say("not read, and not known to be empty", &Sentence::from(format!("{}: ", note.what)).then(&note.why));
    }
    for place in &report.not_looked_at {
        // The flag of the command line is an argument here.
        facts.add("not read", place.replace("-A includes", "allNamespaces includes"));
    }
    facts.answer(page, &[survey])
}

/// The owners and dependents of an object, as deep as they were read.
fn below(node: &Node, facts: &mut FactList) {
    for owner in &node.owners {
        facts.add(&format!("owner of {}", node.object), about(owner));
        below(owner, facts);
    }
    for dependent in &node.dependents {
        facts.add(&format!("dependent of {}", node.object), about(dependent));
        below(dependent, facts);
    }
    if node.more > 0 {
        facts.add(&format!("more of {}", node.object), node.more);
    }
}

/// `Pod shop/web, Terminating since 2026-01-01T00:00:00Z, finalizers: a.io/b`
fn about(node: &Node) -> String {
    let mut said = format!("{}, {:?}", node.object, node.state);
    let mut add = |text: String| said = format!("{said}, {text}");
    if let Some(since) = node.since {
        add(format!("deletion requested {since}"));
    }
    if let Some(deletion) = node.deletion {
        add(format!("deletion {deletion:?}"));
    }
    if !node.finalizers.is_empty() {
        add(format!("finalizers: {}", in_words(&Several::of(&node.finalizers, FINALIZERS))));
    }
    if let Some(propagation) = node.propagation {
        add(format!("deleted with propagation {propagation:?}"));
    }
    if node.blocks {
        add("blocks the deletion of its owner".into());
    }
    if let Some(treatment) = &node.treatment {
        add(treatment.clone());
    }
    said
}
