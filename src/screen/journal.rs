//! The journal on a screen: all runs as a table, or one run with every request and every object as
//! it was before.

use crate::journal::{RecordedRun, RecordedStep, RunNote};
use crate::screen::age::age;
use crate::screen::layout::{block, constrain, plain};
use crate::screen::{Look, Shown, clean, facts, palette, yaml};
use comfy_table::ColumnConstraint;
use jiff::Timestamp;
use serde_json::{Value, json};

const API_VERSION: &str = "unstick.dev/v1alpha1";
/// The least width for all columns, and the number of columns on a narrower screen.
const WIDE: usize = 110;
const NARROW: usize = 4;
/// Stands for a value that is not on record.
const NONE: &str = "-";

/// All runs, the newest last. `undone` gives the run that undid a run.
pub fn runs_table<'a>(
    runs: &[RecordedRun],
    undone: impl Fn(&str) -> Option<&'a str>,
    now: Timestamp,
    look: Look,
) -> Shown {
    let mut table = plain(look.width);
    let is_wide = look.width >= WIDE;
    let titles = ["RUN", "AGE", "STEPS", "OUTCOME", "WHO", "CONTEXT", "SERVER", "TARGETS"];
    let columns = if is_wide { titles.len() } else { NARROW };
    table.set_header(palette::headings(&titles[..columns]));
    for run in runs {
        let cells = [
            clean(&run.id),
            run.begun.map_or(NONE.into(), |begun| age(now.duration_since(begun))),
            format!("{}/{}", done(run), run.steps.len()),
            outcome(run, undone(&run.id).is_some()),
            or_none(run.who.as_deref()),
            or_none(run.header.context.as_deref()),
            or_none(Some(run.header.server.in_short())),
            targets(run),
        ];
        table.add_row(&cells[..columns]);
    }
    // Columns that are copied, or short anyway, are not wrapped.
    (0..NARROW).for_each(|column| constrain(&mut table, column, ColumnConstraint::ContentWidth));
    let lines = table.lines().map(|line| line.strip_prefix(' ').unwrap_or(&line).trim_end().to_owned());
    if is_wide {
        return finish(&lines.collect::<Vec<_>>().join("\n"), look);
    }
    // A narrow screen shows the rest below each row; only `journal RUN` shows the server.
    let below = std::iter::once(String::new()).chain(runs.iter().map(|run| below(run, look.width)));
    let text: Vec<String> = lines.zip(below).map(|(line, below)| format!("{line}\n{below}")).collect();
    finish(&text.concat(), look)
}

/// The user and the targets, below a run on a narrow screen.
fn below(run: &RecordedRun, width: usize) -> String {
    let place = run.header.context.as_deref().map(|context| format!(" in {}", clean(context))).unwrap_or_default();
    block("    ", &format!("{}{place}: {}", or_none(run.who.as_deref()), targets(run)), width, usize::MAX)
}

fn finish(text: &str, look: Look) -> Shown {
    Shown::screen(text.trim_end(), look)
}

fn or_none(text: Option<&str>) -> String {
    text.filter(|text| !text.is_empty()).map_or(NONE.into(), clean)
}

fn done(run: &RecordedRun) -> usize {
    run.steps.iter().filter(|step| step.is_done()).count()
}

fn targets(run: &RecordedRun) -> String {
    match (&run.undoes, &run.header.targets[..]) {
        (Some(undoes), _) => format!("undo of {}", clean(undoes)),
        (None, []) => NONE.into(),
        (None, [one]) => clean(one),
        (None, [one, rest @ ..]) => format!("{} and {} more", clean(one), rest.len()),
    }
}

fn outcome(run: &RecordedRun, undone: bool) -> String {
    let outcome = clean(run.outcome());
    if undone { format!("{outcome}, undone") } else { outcome }
}

/// One run, for a person.
pub fn run_screen(run: &RecordedRun, undone_by: Option<&str>, now: Timestamp, look: Look) -> Shown {
    let mut text = head(run, undone_by, now, look);
    for step in &run.steps {
        text.push_str("\n\n");
        text.push_str(&step_text(step, look));
    }
    for note in &run.notes {
        text.push_str("\n\n");
        text.push_str(&note_text(note));
    }
    finish(&text, look)
}

fn head(run: &RecordedRun, undone_by: Option<&str>, now: Timestamp, look: Look) -> String {
    let header = &run.header;
    let when = run.begun.map(|begun| format!("{begun:.0}, {} ago", age(now.duration_since(begun))));
    let rows = [
        ("run", Some(run.id.clone())),
        ("when", when),
        ("who", run.who.clone()),
        ("context", header.context.clone()),
        ("server", Some(header.server.to_string())),
        ("cluster", header.cluster.as_ref().map(|uid| format!("{uid} (uid of namespace kube-system)"))),
        ("targets", Some(header.targets.join(", "))),
        ("command", Some(header.arguments.join(" "))),
        ("undo of", run.undoes.clone()),
        ("outcome", Some(format!("{}; {} of {} steps done", run.outcome(), done(run), run.steps.len()))),
        ("undone by", undone_by.map(str::to_owned)),
        ("file", Some(run.path.display().to_string())),
        ("damage", run.damage()),
    ];
    let rows: Vec<(&str, String)> =
        rows.into_iter().filter_map(|(name, text)| Some((name, text.filter(|text| !text.is_empty())?))).collect();
    facts(&rows, look.width)
}

fn step_text(step: &RecordedStep, look: Look) -> String {
    let mut lines = vec![palette::heading(&format!("Step {}  {}", step.number, clean(&step.title)))];
    lines.push(match &step.became {
        None => " ✗ may have been written: the run ended before it could record the result".into(),
        Some(became) => {
            let mark = if step.is_done() { "✓" } else { "✗" };
            let at = became.at.map(|at| format!(" ({at:.0})")).unwrap_or_default();
            facts(&[(mark, format!("{}: {}{at}", became.outcome, became.text))], look.width)
        }
    });
    lines.extend(step.notes.iter().map(|note| format!(" {}", note_text(note))));
    let text = |field: &str| clean(step.request[field].as_str().unwrap_or(NONE));
    let at = step.at.map(|at| format!(", recorded {at:.3}")).unwrap_or_default();
    let request = format!("{} {} ({}{at})", text("method"), text("path"), text("contentType"));
    lines.push(facts(&[(" request", request), ("", spaced(&step.request["body"]))], look.width));
    if !step.before.is_null() {
        lines.push(" before".into());
        lines.extend(yaml(&step.before).lines().map(|line| format!("   {}", clean(line))));
    }
    lines.join("\n")
}

/// JSON with blanks between its parts, so that a narrow screen can break it there.
fn spaced(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("[{}]", items.iter().map(spaced).collect::<Vec<_>>().join(", ")),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(name, value)| format!("{}: {}", json!(name), spaced(value)));
            format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
        }
        _ => value.to_string(),
    }
}

fn note_text(note: &RunNote) -> String {
    let objects: Vec<String> =
        note.objects.iter().map(|object| format!("\n   {}", clean(&object.to_string()))).collect();
    format!("note: {}{}", clean(&note.text), objects.concat())
}

/// A run in a list, as JSON.
#[must_use]
pub fn run_in_short(run: &RecordedRun, undone_by: Option<&str>) -> Value {
    json!({
        "name": run.id,
        "path": run.path,
        "at": run.begun,
        "who": run.who,
        "context": run.header.context,
        "server": run.header.server,
        "cluster": run.header.cluster,
        "targets": run.header.targets,
        "arguments": run.header.arguments,
        "undoes": run.undoes,
        "undoneBy": undone_by,
        "steps": run.steps.len(),
        "done": done(run),
        "outcome": run.outcome(),
        "cutLines": run.cut,
    })
}

/// All runs, as JSON.
#[must_use]
pub fn run_list(items: &[Value], unread: &[(String, String)]) -> Value {
    let unread: Vec<Value> = unread.iter().map(|(path, why)| json!({"what": path, "why": why})).collect();
    json!({"apiVersion": API_VERSION, "kind": "RunList", "items": items, "unread": unread})
}

/// One run with its records as they are, as JSON.
#[must_use]
pub fn run_records(run: &RecordedRun, undone_by: Option<&str>) -> Value {
    let mut value = run_in_short(run, undone_by);
    value["apiVersion"] = API_VERSION.into();
    value["kind"] = "Run".into();
    value["records"] = run.records.clone().into();
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_can_be_broken_between_its_parts_and_stays_json() {
        let body = json!([{"op": "test", "path": "/metadata/uid", "value": "a, b"}, {"op": "remove", "path": "/x"}]);
        let text = spaced(&body);
        assert!(
            text.starts_with(r#"[{"op": "test", "path": "/metadata/uid", "value": "a, b"}, {"op": "remove""#),
            "{text}"
        );
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), body);
    }
}
