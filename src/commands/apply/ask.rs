//! The question about a step: what is shown with it, and what the answer means.

use super::stop::Stop;
use crate::commands::ask::Reply;
use crate::commands::{ask, out};
use crate::confirm;
use crate::confirm::{Chosen, Question};
use crate::plan::Write;
use crate::plan::steps::delete_object;
use crate::render::{Talk, cost};
use crate::report::{Finding, Remedy, Report, Step, StepKind};

/// How many objects of a class are listed.
const MAX_LISTED: usize = 500;

/// Asks whether to carry out these steps, which are all of one class.
pub async fn agreed(
    label: &str,
    finding: &Finding,
    remedy: &Remedy,
    open: &[&Step],
    nudged: &[String],
    report: &Report,
) -> Result<bool, Stop> {
    let alike: Vec<Step> = open.iter().map(|step| (*step).clone()).collect();
    let asked = Question { alike, risk: remedy.level(), by_name: remedy.by_name };
    let question =
        confirm::question(label, report.context.as_deref(), remedy, &asked).then(confirm::afterwards(nudged, open[0]));
    let show = || {
        let by_hand = format!("the same by hand{}:", if open.len() > 1 { ", and so for each" } else { "" });
        out::talk(details(finding, remedy, open, report).and(by_hand).command(&open[0].command));
    };
    match ask::put(question, asked.name(), &show).await {
        Ok(Reply::Yes) => Ok(true),
        Ok(Reply::No) => Ok(false),
        Ok(Reply::Quit) => Err(Stop::Quit),
        Err(_) => Err(Stop::Interrupted),
    }
}

/// Asks which of these ways out of one cause to take, the mildest first.
pub async fn which(finding: &Finding, ways: &[&Remedy], report: &Report) -> Result<Chosen, Stop> {
    let question = confirm::choice(&finding.subject, report.context.as_deref());
    let lines: Vec<String> = ways.iter().map(|way| format!("{}: {}", way.risk, title(way))).collect();
    let show = || {
        let mut rows: Vec<(&str, String)> = Vec::new();
        for way in ways {
            rows.push(("way out", title(way)));
            rows.push(("risk", format!("{}: {}", cost(way), way.consequence)));
            rows.push(("undo", undo(way).to_owned()));
        }
        rows.extend(grounds(finding, report));
        out::talk(Talk::facts(rows));
        for way in ways {
            out::talk(Talk::from("by hand:").command(&way.steps[0].command));
        }
    };
    ask::among(question, &lines, &show).await.map_err(|_| Stop::Interrupted)
}

/// `delete configmaps/a -n shop and 2 more steps`
fn title(way: &Remedy) -> String {
    let more = match way.steps.len() {
        0 | 1 => String::new(),
        2 => " and 1 more step".to_owned(),
        count => format!(" and {} more steps", count - 1),
    };
    format!("{}{more}", way.steps[0].title())
}

fn undo(remedy: &Remedy) -> &'static str {
    if remedy.undo {
        "yes: the journal keeps what undo needs of the object"
    } else if remedy.steps.iter().any(|step| step.kind() == StepKind::DeleteObject) {
        let all_kept = remedy.steps.iter().all(|step| delete_object::is_kept(&step.resource()));
        if all_kept {
            return "none: what is given back needs the namespace that it was in; the journal keeps it as it was";
        }
        "none: the journal does not keep what is in it: keep a copy first, by kubectl get -o yaml"
    } else {
        "none: the API server does not allow it"
    }
}

/// The details that `d` shows: the consequence, the evidence, the objects and the command.
fn details(finding: &Finding, remedy: &Remedy, open: &[&Step], report: &Report) -> Talk {
    let mut rows =
        vec![("risk", format!("{}: {}", cost(remedy), remedy.consequence)), ("undo", undo(remedy).to_owned())];
    rows.extend(grounds(finding, report));
    if open.len() > 1 {
        let names = open.iter().take(MAX_LISTED).map(|step| step.object.to_string());
        rows.extend(names.enumerate().map(|(place, name)| (if place == 0 { "objects" } else { "" }, name)));
    }
    if open.len() > MAX_LISTED {
        rows.push(("", format!("… and {} more: -o json names every one", open.len() - MAX_LISTED)));
    }
    Talk::facts(rows)
}

/// The evidence of a cause.
fn grounds(finding: &Finding, report: &Report) -> Vec<(&'static str, String)> {
    let mut rows = vec![("because", finding.summary.to_string())];
    rows.extend(finding.evidence.iter().map(|evidence| {
        let field = evidence.field.as_deref().unwrap_or_default();
        let place = evidence.object.as_ref().map(|object| format!("  ({object}: {field})")).unwrap_or_default();
        ("", format!("{}{place}", evidence.text))
    }));
    let links = finding.chain.iter().map(|link| format!("{}: {}", link.object, link.text));
    rows.extend(links.enumerate().map(|(place, text)| (if place == 0 { "behind it" } else { "" }, text)));
    let controller = finding.controller.iter().flat_map(|controller| &controller.evidence);
    rows.extend(
        controller.enumerate().map(|(place, text)| (if place == 0 { "controller" } else { "" }, text.to_string())),
    );
    rows.push(("read at", report.taken_at.to_string()));
    rows
}
