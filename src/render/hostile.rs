//! A report in which everything that comes from the cluster tries to break out of the format
//! that it is printed in.

use super::clean::is_obeyed;
use crate::diagnosis::diagnose_survey;
use crate::report::{
    Cause, Certainty, Controller, ControllerState, Evidence, Finding, Link, LinkState, Named, Need, NeedState, Note,
    ObjectNote, Ref, Remedy, Report, Requirement, Risk, State, Step, StepKind, Target, Turn,
};
use crate::survey::{Discovery, Survey};
use jiff::Timestamp;

/// For terminals, XML, HTML, Markdown, Mermaid and Graphviz.
pub(super) const TEXT: &str = "\u{1b}[2J\u{202e}\u{61c}\u{200b}\u{feff}\u{e0041}</script><img src=x onerror=alert(1)>]]><!-- &amp; \" ' \
    ```\n```\n# a\r\n| b | [c](http://d) @all *e* %%{init}%% #quot; \\\" \\N \u{fffe}\u{0}-->";

/// It stands in every place that the cluster can fill.
pub(super) fn report() -> Report {
    let text = || TEXT.to_owned();
    let object = Ref::from(Named { kind: text(), name: text(), namespace: Some(text()), ..Named::default() });
    let step = Step {
        kind: StepKind::RemoveFinalizer,
        object: object.clone(),
        finalizer: Some(text()),
        entry: None,
        value: None,
        command: text(),
        place: None,
    };
    let (survey, state) = (Survey::new(Timestamp::UNIX_EPOCH, Discovery::default()), State::Stuck);
    let deleted = Requirement::new("n1".into(), &Need::Deleted(object.clone()), NeedState::Broken);
    let released = Requirement::new("n2".into(), &Need::Released(object.clone(), text().into()), NeedState::Broken);
    Report {
        context: Some(text()),
        server: Some(text()),
        targets: vec![Target { object: object.clone(), state, since: None, summary: text() }],
        findings: vec![finding(&object)],
        remedies: vec![Remedy {
            id: "r1".into(),
            digest: text(),
            title: text(),
            risk: Risk::Leaks,
            consequence: text(),
            undo: false,
            by_name: false,
            steps: vec![step],
        }],
        needs: vec![
            Requirement { rests_on: vec!["n2".into()], ..deleted },
            Requirement { findings: vec!["f1".into()], ..released },
        ],
        unread: vec![Note { what: text(), why: text() }],
        order: vec![Turn {
            title: text(),
            why: text(),
            risk: Risk::LosesData,
            consequence: text(),
            commands: vec![text()],
            steps: Vec::new(),
        }],
        consequences: vec![ObjectNote { object: object.clone(), why: text() }],
        also_broken: vec![ObjectNote { object: object.clone(), why: text() }],
        waiters: vec![ObjectNote { object, why: text() }],
        ..diagnose_survey(&survey).report
    }
}

fn finding(object: &Ref) -> Finding {
    let text = || TEXT.to_owned();
    Finding {
        id: "f1".into(),
        rule: "a-rule",
        cause: Cause::Finalizer,
        subject: object.clone(),
        waits_for: None,
        finalizer: Some(text()),
        root: true,
        on_time: false,
        avoidable: false,
        blocks: vec![object.clone()],
        objects: vec![object.clone(), Ref::from(Named { name: "other".into(), ..object.parts() })],
        certainty: Certainty::Proven,
        summary: text(),
        evidence: vec![Evidence { text: text(), object: Some(object.clone()), field: Some(text()) }],
        chain: vec![Link::new(object.clone(), LinkState::Broken, text())],
        controller: Some(Controller {
            workload: Some(object.clone()),
            state: ControllerState::Gone,
            evidence: vec![text()],
        }),
        owners: Vec::new(),
        remedies: vec!["r1".into()],
    }
}

/// Nothing is in it that a terminal obeys.
pub(super) fn is_clean(text: &str) {
    assert!(!text.contains(|c: char| c != '\n' && is_obeyed(c)), "{text:?}");
}
