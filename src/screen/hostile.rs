//! A report in which all text from the cluster tries to break out of the output format.

use crate::diagnosis::diagnose_survey;
use crate::inert::is_obeyed;
use crate::report::{
    Cause, Certainty, Confirms, Controller, ControllerState, Deletion, Evidence, Finding, Link, LinkState, Named, Need,
    NeedState, Note, ObjectNote, Outside, Product, Ref, Remedy, RemoveFinalizer, Report, Requirement, Risk, Said,
    SetBy, State, Step, TargetReport, Turn, Why,
};
use crate::survey::{Discovery, Survey};
use jiff::Timestamp;

/// An attack on terminals, XML, HTML, Markdown, Mermaid and Graphviz.
pub(crate) const TEXT: &str = "\u{1b}[2J\u{202e}\u{61c}\u{200b}\u{feff}\u{e0041}</script><img src=x onerror=alert(1)>]]><!-- &amp; \" ' \
    ```\n```\n# a\r\n| b | [c](http://d) @all *e* %%{init}%% #quot; \\\" \\N \u{fffe}\u{0}-->";

/// A report with [`TEXT`] in every field that the cluster can fill.
pub(crate) fn report() -> Report {
    report_of(TEXT)
}

/// A report with this text in every field that the cluster can fill.
pub(crate) fn report_of(text: &str) -> Report {
    let text = || text.to_owned();
    let object = Ref::from(Named { kind: text(), name: text(), namespace: Some(text()), ..Named::default() });
    let step = Step {
        action: RemoveFinalizer { finalizer: text() }.into(),
        object: object.clone(),
        command: text(),
        place: None,
    };
    let (survey, state) = (Survey::new(Timestamp::UNIX_EPOCH, Discovery::default()), State::Stuck);
    let deleted = Requirement::new("n1".into(), &Need::Deleted(object.clone()), NeedState::Broken);
    let released = Requirement::new("n2".into(), &Need::Released(object.clone(), text().into()), NeedState::Broken);
    Report {
        context: Some(text()),
        server: Some(text()),
        targets: vec![TargetReport { object: object.clone(), state, since: None, summary: text().into() }],
        findings: vec![finding(&object, &text())],
        remedies: vec![Remedy {
            mends_its_work: false,
            id: "r1".into(),
            digest: text(),
            title: text().into(),
            risk: Risk::Leaks,
            consequence: text().into(),
            confirms: Some(Confirms {
                level: Risk::LosesData,
                deletions: 2,
                elsewhere: 1,
                named: vec![Deletion { object: object.clone(), since: None }],
                unread: vec![text()],
            }),
            warns: false,
            undo: false,
            by_name: false,
            steps: vec![step],
        }],
        needs: vec![
            Requirement { rests_on: vec!["n2".into()], ..deleted },
            Requirement { findings: vec!["f1".into()], ..released },
        ],
        unread: vec![Note::about(text(), text())],
        unread_kinds: [text()].into(),
        order: vec![Turn {
            title: text().into(),
            why: text().into(),
            risk: Risk::LosesData,
            consequence: text().into(),
            usual_minutes: None,
            commands: vec![text()],
            steps: Vec::new(),
        }],
        consequences: vec![ObjectNote { object: object.clone(), why: text().into() }],
        also_broken: vec![ObjectNote { object: object.clone(), why: text().into() }],
        waiters: vec![ObjectNote { object, why: text().into() }],
        ..diagnose_survey(&survey).report
    }
}

fn finding(object: &Ref, text: &str) -> Finding {
    let text = || text.to_owned();
    Finding {
        id: "f1".into(),
        reason: None,
        rule: "a-rule",
        cause: Cause::Finalizer,
        subject: object.clone(),
        waits_for: None,
        finalizer: Some(text()),
        more_finalizers: vec![text()],
        root: true,
        on_time: false,
        avoidable: false,
        blocks: vec![object.clone()],
        objects: vec![object.clone(), Ref::from(Named { name: "other".into(), ..object.parts() })],
        unnamed: 0,
        certainty: Certainty::Proven,
        why: Why::Proven,
        summary: text().into(),
        evidence: vec![Evidence {
            text: text().into(),
            object: Some(object.clone()),
            field: Some(text()),
            in_summary: false,
        }],
        broken_link: Some(object.clone()),
        set_by: Some(SetBy { manager: text(), at: None }),
        product: Some(Product { name: text(), controller: text(), is_its_controller: false }),
        guards: Some(text().into()),
        outside: vec![Outside { what: text().into(), object: object.clone() }],
        looked_at: Some(text().into()),
        says: Some(Said { words: text().into(), object: None }),
        chain: vec![Link::new(object.clone(), LinkState::Broken, text())],
        controller: Some(Controller {
            workload: Some(object.clone()),
            state: ControllerState::Gone,
            evidence: vec![text().into()],
        }),
        owners: Vec::new(),
        remedies: vec!["r1".into()],
    }
}

/// Asserts that the text contains nothing that a terminal obeys.
pub(crate) fn is_clean(text: &str) {
    assert!(!text.contains(|c: char| c != '\n' && is_obeyed(c)), "{text:?}");
}

/// Texts with which somebody tries to speak in the name of the program.
pub(crate) const FORGED: [&str; 8] = [
    "a\n✓ done: everything is gone\n  harmless: nothing happens",
    "a\r\n\u{85}\u{2028}\u{2029}\u{b}\u{c}✗ not done",
    "\u{1b}[2J\u{1b}[1;1H\u{9b}31m\u{7f}\u{0}✓ done",
    "\u{202e}enod ✓\u{2066}\u{200f}\u{61c}",
    "a\u{200b}\u{200d}\u{feff}\u{2060}\u{ad}b ⏳",
    "\u{e0041}\u{e0042}\u{e007f} ◀ ↓ ├─ └─ │",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa ✓ done: all is gone ✓ done: all is gone ✓ done",
    "日本語 e\u{301} ✓ done: 日本語",
];

/// Text of the same width and the same words, but without any special character.
pub(crate) fn harmless(text: &str) -> String {
    crate::inert::clean(text).replace(['<', '+', '>'], ".")
}

mod tests {
    use super::{FORGED, harmless, is_clean, report_of};
    use crate::journal::{Became, RecordedRun, RecordedStep, RunHeader, RunNote};
    use crate::report::{Node, OwnerState, OwnershipReport, State};
    use crate::screen::*;
    use jiff::Timestamp;
    use serde_json::json;

    fn marks(text: &str) -> Vec<usize> {
        ["✓", "✗", "⏳", "◀", "↓", "├", "└", "│"].iter().map(|mark| text.matches(mark).count()).collect()
    }

    /// Whether hostile text takes as many lines as harmless text. It takes fewer if JSON and YAML escape
    /// it, and in quoted words, in which a line break becomes a blank.
    fn has_the_lines(screen: &str, hostile: &str, harmless: &str) -> bool {
        let (hostile, harmless) = (hostile.lines().count(), harmless.lines().count());
        let is_shorter = ["a run", "table and wide", "before a question"].contains(&screen);
        if is_shorter { hostile <= harmless } else { hostile == harmless }
    }

    type Screen = (&'static str, fn(&str, Look) -> Vec<String>);

    /// Every screen, filled with this text.
    const SCREENS: [Screen; 9] = [
        ("table and wide", |text, look| vec![screen(&report_of(text), look).into()]),
        ("before a question", |text, look| vec![screen_before_question(&report_of(text), look, 8).into()]),
        ("tree", |text, look| vec![waits(&report_of(text), look).into()]),
        ("scan", |text, look| vec![scan_screen(&report_of(text), Some(text), look).into()]),
        ("undo", |text, look| vec![undo_of(text, look)]),
        ("journal", |text, look| vec![runs_table(&[run_of(text)], |_| None, Timestamp::UNIX_EPOCH, look).into()]),
        ("a run", |text, look| vec![run_screen(&run_of(text), Some(text), Timestamp::UNIX_EPOCH, look).into()]),
        ("owners", |text, look| {
            vec![owners_table(&owners_of(text), look).into(), owners_tree(&owners_of(text), look).into()]
        }),
        ("watch", |text, look| watch_screen(&moment(text), look, 30).into_iter().map(String::from).collect()),
    ];

    fn undo_of(text: &str, look: Look) -> String {
        let run = RecordedRun { id: text.into(), who: Some(text.into()), ..RecordedRun::default() };
        let line = |state| UndoLine {
            step: 1,
            done: text.into(),
            title: Some(text.into()),
            state,
            text: text.into(),
            command: Some(text.into()),
        };
        let lines = [UndoState::Open, UndoState::Changed, UndoState::Cannot, UndoState::Nothing].map(line);
        undo_screen(&run, &lines.iter().collect::<Vec<_>>(), Timestamp::UNIX_EPOCH, look).into()
    }

    /// A run in which every text is foreign.
    fn run_of(text: &str) -> RecordedRun {
        let step = RecordedStep {
            number: 1,
            at: None,
            title: text.into(),
            what: json!({}),
            request: json!({"method": text, "path": text, "contentType": text, "body": {"a": text}}),
            before: json!({"metadata": {"name": text, "labels": {"a": text}}}),
            became: Some(Became { at: None, outcome: text.into(), text: text.into() }),
            notes: vec![RunNote { text: text.into(), objects: Vec::new() }],
        };
        let header = RunHeader {
            arguments: vec![text.into()],
            context: Some(text.into()),
            targets: vec![text.into()],
            ..RunHeader::default()
        };
        let (who, end) = (Some(text.into()), Some(text.into()));
        RecordedRun { id: text.into(), who, end, header, steps: vec![step], ..RecordedRun::default() }
    }

    fn owners_of(text: &str) -> OwnershipReport {
        let report = report_of(text);
        let node = |owners| Node {
            object: report.targets[0].object.clone(),
            state: OwnerState::Terminating,
            created: Some(Timestamp::UNIX_EPOCH),
            ready: Some(text.into()),
            since: None,
            deletion: Some(State::Stuck),
            stuck_on: vec!["f1".into()],
            finalizers: vec![text.into()],
            propagation: None,
            reference: None,
            blocks: true,
            treatment: Some(text.into()),
            owners,
            dependents: Vec::new(),
            elsewhere: false,
            more: 2,
        };
        OwnershipReport {
            api_version: "unstick.dev/v1alpha1",
            kind: "Ownership",
            taken_at: Timestamp::UNIX_EPOCH,
            context: Some(text.into()),
            server: Some(text.into()),
            targets: vec![Node { dependents: vec![node(Vec::new())], ..node(vec![node(Vec::new())]) }],
            findings: report.findings,
            unread: report.unread,
            not_looked_at: vec![text.into()],
        }
    }

    fn moment(text: &str) -> Moment {
        let standing = |gone| WatchedTarget {
            name: text.into(),
            gone,
            state: State::Stuck,
            age: None,
            left: Some(2),
            most: Some(3),
        };
        Moment {
            targets: vec![standing(None), standing(Some(Gone::Away))],
            left: vec![LeftOfKind { kind: Called { many: text.into(), one: text.into() }, count: 2, going: 1 }],
            causes: vec![text.into()],
            workers: vec![text.into()],
            missed: vec![text.into()],
            command: Some(text.into()),
            next: Some(text.into()),
            trouble: vec![text.into()],
            ..Moment::default()
        }
    }

    #[test]
    fn hostile_text_adds_no_line_and_no_mark_on_any_screen() {
        for text in FORGED {
            let plain = harmless(text);
            for (name, shown) in SCREENS {
                for (width, all) in [(40, false), (57, true), (80, false), (101, true), (120, false), (200, true)] {
                    let look = Look { width, colour: false, all };
                    let (hostile, harmless) = (shown(text, look).join("\n"), shown(&plain, look).join("\n"));
                    let place = format!("{name} at {width} columns: {text:?}\n{hostile}\n{harmless}");
                    is_clean(&hostile);
                    assert!(has_the_lines(name, &hostile, &harmless), "{place}");
                    assert_eq!(marks(&hostile), marks(&harmless), "{place}");
                    let at_the_edge = |line: &&str| line.starts_with(['✓', '✗', '⏳']) || line.starts_with("done");
                    assert_eq!(hostile.lines().find(at_the_edge), None, "{place}");
                }
            }
        }
    }

    #[test]
    fn a_mebibyte_of_hostile_text_takes_no_extra_lines() {
        let look = Look { width: 80, colour: false, all: false };
        for piece in ["\u{1b}", "✓ done\n", "\u{202e}\u{e0041}"] {
            let text = piece.repeat((1 << 20) / piece.len());
            let plain = harmless(&text);
            // Text that JSON and YAML escape wraps at other places.
            for (name, shown) in SCREENS.into_iter().filter(|(name, _)| *name != "a run") {
                let (hostile, harmless) = (shown(&text, look).join("\n"), shown(&plain, look).join("\n"));
                assert!(has_the_lines(name, &hostile, &harmless), "{name}: {piece:?}");
                assert_eq!(marks(&hostile), marks(&harmless), "{name}: {piece:?}");
            }
        }
    }
}
