//! The questions about the steps of a cause, their details, and the meaning of the answers.

use super::stop::Stop;
use crate::commands::ask;
use crate::confirm;
use crate::confirm::{Chosen, MenuWay, Question};
use crate::plan::Write;
use crate::plan::steps::delete_object;
use crate::report::{Finding, Remedy, Report, Step, StepKind};
use crate::screen::{Talk, cost};

/// How many objects of a class are listed.
const MAX_LISTED: usize = 500;

/// Asks whether to carry out these steps, which are all of one class.
pub(super) async fn agreed(
    label: &str,
    finding: &Finding,
    remedy: &Remedy,
    open: &[&Step],
    nudged: &[String],
    report: &Report,
) -> Result<bool, Stop> {
    let alike: Vec<Step> = open.iter().map(|step| (*step).clone()).collect();
    let asked = Question { alike, risk: remedy.level(), by_name: remedy.by_name };
    let question = confirm::above(finding, report)
        .then(confirm::question(label, report.context.as_deref(), remedy, &asked))
        .then(confirm::afterwards(nudged, open[0]));
    let show = || {
        let by_hand = format!("to do the same by hand{}:", if open.len() > 1 { ", for each object" } else { "" });
        details(finding, remedy, open, report).and(by_hand).command(&open[0].command)
    };
    match ask::put(question, asked.name(), &show).await {
        Ok(ask::Reply::Yes) => Ok(true),
        Ok(ask::Reply::No) => Ok(false),
        Ok(ask::Reply::Quit) => Err(Stop::Quit),
        Err(_) => Err(Stop::Interrupted),
    }
}

/// A remedy of a cause, as a line of the choice.
pub(super) struct ChoiceLine<'r> {
    pub(super) remedy: &'r Remedy,
    /// The questions about it: one for each class of its steps.
    pub(super) asked: Vec<Question>,
    /// The namespaces that are nudged afterwards.
    pub(super) nudged: Vec<String>,
}

/// A remedy among several.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pick {
    /// Its place.
    pub(super) place: usize,
    /// Whether a person agreed to its steps by choosing it.
    pub(super) is_agreed: bool,
}

/// Lets a person choose one of the remedies of a cause, the mildest first; `None` if the person
/// skips all of them. The choice agrees to the steps if they are of one class. For a harsh remedy,
/// the person must also type the name; an empty answer returns to the choice.
pub(super) async fn which(
    label: &str,
    cause: &[&Finding],
    lines: &[ChoiceLine<'_>],
    report: &Report,
) -> Result<Option<Pick>, Stop> {
    let context = report.context.as_deref();
    let ways: Vec<MenuWay> = lines.iter().map(|line| confirm::way_of(line.remedy, &line.nudged)).collect();
    let show = || {
        let mut rows: Vec<(&str, String)> = Vec::new();
        for ChoiceLine { remedy, asked, .. } in lines {
            rows.push(("way out", confirm::in_short(remedy)));
            rows.push(("risk", format!("{}: {}", cost(remedy), remedy.consequence)));
            rows.push(("undo", undo(remedy).to_owned()));
            let steps: Vec<&Step> = asked.iter().flat_map(|asked| &asked.alike).collect();
            rows.extend(objects(&steps));
        }
        rows.extend(cause.iter().flat_map(|finding| grounds(finding, report)));
        let by_hand = lines.iter().map(|line| Talk::from("by hand:").command(&line.remedy.steps[0].command));
        by_hand.fold(Talk::facts(rows), Talk::then)
    };
    loop {
        let question = confirm::choice(label, &cause[0].subject, cause[0].others(), context);
        let question = confirm::above(cause[0], report).then(question);
        let place = match ask::among(question, &ways, &show).await.map_err(|_| Stop::Interrupted)? {
            Chosen::Way(place) => place,
            Chosen::Details | Chosen::Skip => return Ok(None),
            Chosen::Quit => return Err(Stop::Quit),
        };
        let line = &lines[place];
        let [asked] = &line.asked[..] else { return Ok(Some(Pick { place, is_agreed: false })) };
        let Some(name) = asked.name() else { return Ok(Some(Pick { place, is_agreed: true })) };
        let question = Talk::apart().then(confirm::question(label, context, line.remedy, asked));
        let question = question.then(confirm::afterwards(&line.nudged, &asked.alike[0]));
        match ask::name(question, &name).await.map_err(|_| Stop::Interrupted)? {
            ask::Reply::Yes => return Ok(Some(Pick { place, is_agreed: true })),
            ask::Reply::No => {}
            ask::Reply::Quit => return Err(Stop::Quit),
        }
    }
}

fn undo(remedy: &Remedy) -> &'static str {
    if remedy.undo {
        "yes: the journal keeps what undo needs of the object"
    } else if remedy.steps.iter().any(|step| step.kind() == StepKind::DeleteObject) {
        let all_kept = remedy.steps.iter().all(|step| delete_object::is_kept(&step.resource()));
        if all_kept {
            return "none: an object can only be restored into the namespace that it was in; the journal keeps it as it \
                was";
        }
        "none: the journal does not keep its content; save a copy first with kubectl get -o yaml"
    } else {
        "none: the API server does not allow it"
    }
}

/// The details that `d` shows: the consequence, the evidence, the objects and the command.
fn details(finding: &Finding, remedy: &Remedy, open: &[&Step], report: &Report) -> Talk {
    let mut rows =
        vec![("risk", format!("{}: {}", cost(remedy), remedy.consequence)), ("undo", undo(remedy).to_owned())];
    rows.extend(grounds(finding, report));
    rows.extend(objects(open));
    Talk::facts(rows)
}

/// The objects of several steps.
fn objects(steps: &[&Step]) -> Vec<(&'static str, String)> {
    if steps.len() < 2 {
        return Vec::new();
    }
    let names = steps.iter().take(MAX_LISTED).map(|step| step.object.to_string());
    let rows = names.enumerate().map(|(place, name)| (if place == 0 { "objects" } else { "" }, name));
    let more = steps.len().saturating_sub(MAX_LISTED);
    rows.chain((more > 0).then(|| ("", format!("… and {more} more: -o json lists all of them")))).collect()
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
