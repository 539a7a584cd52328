//! One question: what is shown with it, and what its answer means for the plan.

use super::Stop;
use crate::commands::{interrupt, out};
use crate::confirm::{self, Asked, Choice};
use crate::diagnosis::{Finding, Report};
use crate::plan::{Remedy, Step, StepKind};
use crate::render;
use std::fmt::Write;

/// So many namespaces are named.
const NAMED: usize = 5;
/// So many objects of a class are listed.
const LISTED: usize = 500;

/// Asks whether these steps, all of one class, are to be done.
pub async fn agreed(
    label: &str,
    finding: &Finding,
    remedy: &Remedy,
    open: &[&Step],
    nudged: &[String],
    report: &Report,
) -> Result<bool, Stop> {
    let alike: Vec<Step> = open.iter().map(|step| (*step).clone()).collect();
    let asked = Asked { alike, risk: remedy.risk, by_name: remedy.by_name };
    let mut question = confirm::question(label, report.context.as_deref(), remedy, &asked);
    if !nudged.is_empty() && open[0].kind != StepKind::NudgeNamespace {
        let named = nudged.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
        let more = nudged.len().saturating_sub(NAMED);
        let more = if more == 0 { String::new() } else { format!(" and {more} more") };
        let _ = write!(
            question,
            "\n  afterwards namespace {named}{more} is touched (harmless), if its controller does not look by itself"
        );
    }
    put(&question, &asked, &|| details(finding, remedy, open, report)).await
}

/// Puts a question until it is answered; `details` gives what `d` shows.
pub async fn put(question: &str, asked: &Asked, details: &dyn Fn() -> String) -> Result<bool, Stop> {
    out::question(question);
    loop {
        let asked = asked.clone();
        let question = tokio::task::spawn_blocking(move || confirm::ask(&asked));
        let answer = tokio::select! {
            answer = question => answer,
            () = interrupt::pressed() => return Err(Stop::Interrupted),
        };
        match answer {
            Ok(Ok(Choice::Yes)) => return Ok(true),
            Ok(Ok(Choice::No)) => return Ok(false),
            Ok(Ok(Choice::Quit)) => return Err(Stop::Quit),
            Ok(Ok(Choice::Details)) => out::painted(&details()),
            Ok(Err(_)) | Err(_) => return Err(Stop::Interrupted),
        }
    }
}

/// What `d` shows: the consequence, the evidence, the objects and the command.
fn details(finding: &Finding, remedy: &Remedy, open: &[&Step], report: &Report) -> String {
    let undo = if remedy.undo {
        "yes: the journal keeps the object as it was"
    } else {
        "none: the API server does not allow it"
    };
    let mut rows = vec![
        ("risk", format!("{}: {}", remedy.risk, remedy.consequence)),
        ("undo", undo.to_owned()),
        ("because", finding.summary.clone()),
    ];
    rows.extend(finding.evidence.iter().map(|evidence| {
        let field = evidence.field.as_deref().unwrap_or_default();
        let place = evidence.object.as_ref().map(|object| format!("  ({object}: {field})")).unwrap_or_default();
        ("", format!("{}{place}", evidence.text))
    }));
    rows.push(("read at", report.taken_at.to_string()));
    if open.len() > 1 {
        let names = open.iter().take(LISTED).map(|step| step.object.to_string());
        rows.extend(names.enumerate().map(|(place, name)| (if place == 0 { "objects" } else { "" }, name)));
    }
    if open.len() > LISTED {
        rows.push(("", format!("… and {} more: -o json names every one", open.len() - LISTED)));
    }
    let each = if open.len() > 1 { ", and so for each" } else { "" };
    format!("{}\nthe same by hand{each}:\n  $ {}", render::facts(&rows, out::width()), render::clean(&open[0].command))
}
