//! Unread facts: one line for missing rights, and a line with the reason for each other.

use crate::kubernetes::finalizers::groups::is_custom;
use crate::kubernetes::messages::rights::{LackedRight, lacked};
use crate::plugin::COMMAND;
use crate::report::{About, Note, Numbered, Report, State, TargetReport, Why};
use crate::screen::clean;
use crate::screen::layout::{block, command_line};
use std::collections::BTreeSet;

/// How many kinds are named; the rest is counted. The line ends with the advice, which must not be cut.
const MAX_NAMED: usize = 1;

/// The notes that matter on a screen. A proven answer lacks nothing, so it needs no notes, except that in
/// a namespace an unread kind may be a further cause. `-o wide` and `-o json` show all.
pub(crate) fn that_matter(report: &Report, all: bool) -> &[Note] {
    let mut roots = report.findings.iter().filter(|finding| finding.is_root_cause()).peekable();
    let is_proven = roots.peek().is_some() && roots.all(|finding| finding.why == Why::Proven);
    let is_open = |target: &TargetReport| target.state == State::Unknown || target.object.is_namespace();
    let is_open = report.targets.iter().any(is_open);
    let is_whole = report.about == About::Targets && is_proven && !is_open;
    if is_whole && !all { &[] } else { &report.unread }
}

/// The notes that no cause on the screen mentions already.
pub(crate) fn not_told<'r>(notes: &'r [Note], told: &[Numbered<'_>]) -> Vec<&'r Note> {
    let is_told = |note: &&Note| {
        let tells =
            |kind: &str| told.iter().any(|told| told.number.is_some() && told.finding.summary.tells_unread(kind));
        note.kind.as_deref().is_some_and(tells)
    };
    notes.iter().filter(|note| note.forbidden.is_some() || !is_told(note)).collect()
}

/// One line for everything that the user may not read, and the notes about everything else.
pub(crate) fn by_rights<'r>(notes: impl IntoIterator<Item = &'r Note>) -> (Option<String>, Vec<&'r Note>) {
    let lacks = |note: &Note| note.forbidden.as_deref().and_then(lacked);
    let (rights, others): (Vec<&Note>, Vec<&Note>) = notes.into_iter().partition(|note| lacks(note).is_some());
    let rights: Vec<LackedRight> = rights.into_iter().filter_map(lacks).collect();
    (sentence(&rights), others)
}

fn sentence(rights: &[LackedRight]) -> Option<String> {
    let user = &rights.first()?.user;
    let kind = |right: &LackedRight| {
        let dot = if right.group.is_empty() { "" } else { "." };
        clean(&format!("{}{dot}{}", right.resource, right.group))
    };
    // Custom resources come first: they are what a usual role leaves out.
    let kinds: BTreeSet<(bool, String)> = rights.iter().map(|right| (!is_custom(&right.group), kind(right))).collect();
    let verb = if rights.iter().all(|right| right.verb == "list") { "list" } else { "read" };
    let mut named: Vec<&str> = kinds.iter().take(MAX_NAMED).map(|(_, kind)| kind.as_str()).collect();
    if kinds.len() > MAX_NAMED {
        named.push("…");
    }
    let what = match kinds.len() {
        1 => format!("{}, which {} may not {verb}", named.concat(), clean(user)),
        count => format!("{count} kinds that {} may not {verb} ({})", clean(user), named.join(", ")),
    };
    Some(format!("not read: {what}; this prints a role that may:"))
}

/// The line about missing rights, laid out, with the command that prints the role.
pub(crate) fn granted(line: &str, indent: &str, width: usize) -> String {
    block(indent, line, width, usize::MAX)
        + &command_line(&format!("{indent}  "), &format!("{COMMAND} explain clusterrole"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::needs::Draft;
    use crate::report::{Cause, Named, NoteSubject, Ref, Sentence};
    use crate::survey::{Discovery, ResourceId, Survey};

    fn note(resource: &str, namespace: &str) -> Note {
        let words = format!(
            "x is forbidden: User \"dev\" cannot list resource \"{resource}\" in API group \"acme.io\" in the namespace \
             \"{namespace}\""
        );
        Note { forbidden: Some(words.clone()), ..Note::about(resource, words) }
    }

    #[test]
    fn missing_rights_are_one_line_and_each_kind_counts_once() {
        let mut notes = vec![note("a", "x"), note("a", "y"), note("b", "x"), note("c", "x"), note("d", "x")];
        let built_in =
            "x is forbidden: User \"dev\" cannot list resource \"secrets\" in API group \"\" in the namespace \"x\"";
        notes.insert(2, Note { forbidden: Some(built_in.into()), ..Note::about("secrets", built_in) });
        let late = Note::about("pods", "timed out");
        notes.push(late.clone());
        let (line, others) = by_rights(&notes);
        let said = "not read: 5 kinds that dev may not list (a.acme.io, …); this prints a role that may:";
        assert_eq!((line.as_deref(), others), (Some(said), vec![&late]));
        let said = "not read: a.acme.io, which dev may not list; this prints a role that may:";
        assert_eq!(by_rights(&notes[..2]).0.as_deref(), Some(said));
        assert_eq!(by_rights(&notes[6..]).0, None);
    }

    #[test]
    fn notes_that_a_cause_names_are_not_repeated() {
        let unread = |kind: &str, what: &str| {
            Note::about(NoteSubject::list(&ResourceId::new("acme.io", "v1", kind), what), "server error")
        };
        let notes = [
            unread("widgets", "widgets.acme.io in namespace shop"),
            unread("widgets", "dependents in all namespaces: widgets.acme.io"),
            unread("gadgets", "gadgets.acme.io in namespace shop"),
            note("widgets.acme.io", "shop"),
        ];
        let object = Ref::from(Named { kind: "Namespace".into(), name: "shop".into(), ..Named::default() });
        let summary = Sentence::unread("widgets.acme.io").then(" cannot be read");
        let finding = Draft::new(Cause::Unreadable, object, summary).finding;
        let below = |number| {
            let told = Numbered { finding: &finding, number, is_first: true };
            not_told(&notes, &[told]).into_iter().map(|note| note.what.clone()).collect::<Vec<_>>()
        };
        assert_eq!(
            below(Some(1)),
            [notes[2].what.as_str(), &notes[3].what],
            "another kind, and what a right is missing for"
        );
        assert_eq!(below(None).len(), notes.len(), "what only follows");
    }

    #[test]
    fn after_a_proven_cause_unread_kinds_matter_only_for_a_namespace() {
        let said = |kind: &str, why: Why| {
            let named = Named { api_version: "v1".into(), kind: kind.into(), name: "a".into(), ..Named::default() };
            let object = Ref::from(named);
            let survey = Survey::new(jiff::Timestamp::UNIX_EPOCH, Discovery::default());
            let mut report = crate::diagnosis::diagnose(&survey, &[]).report;
            let mut finding = Draft::new(Cause::Finalizer, object.clone(), "waits").finding;
            (finding.root, finding.why) = (true, why);
            report.findings.push(finding);
            report.targets.push(TargetReport { object, state: State::Stuck, since: None, summary: "".into() });
            report.unread = vec![note("a", "x")];
            that_matter(&report, false).len()
        };
        assert_eq!((said("Namespace", Why::Proven), said("Pod", Why::Proven), said("Pod", Why::Likely)), (1, 0, 1));
    }
}
