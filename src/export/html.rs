//! `-o html`: the report as one page, which loads nothing and runs no script.

use crate::export::markup::escaped;
use crate::export::outline::{Outline, certainty};
use crate::plugin::COMMAND;
use crate::report::{About, Below, Finding, LinkState, Numbered, Report, Risk, Turn};
use crate::screen::by_hand::ByHand;
use crate::screen::marks::{controller_words, cost, place};
use crate::screen::offers::Offer;
use crate::screen::tree::Branch;
use crate::screen::{Shown, blocked, layout};
use std::borrow::Cow;
use std::fmt::Write;

const STYLE: &str = include_str!("html.css");

/// How many objects, commands and remarks are listed; the rest is counted.
const MAX_WRITTEN: usize = 100;

/// The report as a page.
pub fn html(report: &Report) -> Shown {
    let outline = Outline::of(report);
    let title = escaped(&outline.title);
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <title>{title} - {COMMAND}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n"
    );
    page.push_str(&header(&title, &outline, report));
    page.push_str("<main>\n");
    for (heading, inner) in [
        ("Objects", objects(&outline, report)),
        ("Causes", outline.causes.iter().map(cause).collect()),
        ("What to do", outline.ways_out.iter().map(offer).collect()),
        ("Order", report.order.iter().zip(1..).map(turn).collect()),
        ("What waits for what", what_waits(&outline)),
        ("What is blocked", what_is_blocked(report)),
        ("Also found", outline.also_found.iter().map(cause).collect()),
    ] {
        page.push_str(&section(heading, &inner));
    }
    let note = |(what, why): &(String, String)| format!("{}: {}", escaped(what), escaped(why));
    for (heading, notes) in &outline.remarks {
        page.push_str(&section(heading, &list(&notes.iter().map(note).collect::<Vec<_>>())));
    }
    Shown::finished(page + "</main>\n</body>\n</html>\n")
}

fn header(title: &str, outline: &Outline<'_>, report: &Report) -> String {
    let mut text = format!("<header>\n<h1>{title}</h1>\n");
    if let ([_], [standing]) = (&report.targets[..], &outline.targets.0[..]) {
        let age = if standing.age.is_empty() { String::new() } else { format!("{}, ", escaped(&standing.age)) };
        let _ = writeln!(text, "<p class=\"lead\">{age}{}</p>", escaped(&standing.says));
    }
    let cluster: String = outline.cluster.iter().flat_map(|part| [escaped(part), " · ".into()]).collect();
    let iso = report.taken_at.strftime("%Y-%m-%dT%H:%M:%SZ");
    let time = report.taken_at.strftime("%Y-%m-%d %H:%M:%S UTC");
    let _ = writeln!(text, "<p class=\"quiet\">{cluster}read at <time datetime=\"{iso}\">{time}</time></p>");
    text + "</header>\n"
}

/// The list of targets if there are several.
fn objects(outline: &Outline<'_>, report: &Report) -> String {
    if report.targets.len() < 2 {
        return String::new();
    }
    let (standings, rest) = &outline.targets;
    let rows: Vec<_> = standings.iter().map(|it| [&it.names, &it.age, &it.says].map(Clone::clone)).collect();
    table("Objects", &["Object", "Time", "State"], rows) + &and_more(*rest, "objects")
}

/// One cause; its evidence is unfolded on request.
fn cause(Numbered { finding, number, .. }: &Numbered<'_>) -> String {
    let number = number.map(|number| format!("<span class=\"number\">{number}</span>")).unwrap_or_default();
    let root = if finding.is_root_cause() { " root" } else { "" };
    let mut text = format!("<article class=\"card{root}\">\n<div class=\"head\">{number}");
    let _ = write!(text, "<h3>{}</h3>", escaped(&finding.summary));
    text.extend(certainty(finding).map(|word| tag("", word)));
    text.push_str("</div>\n");
    if let Some(controller) = &finding.controller {
        let _ = writeln!(text, "<p>Controller: {}</p>", escaped(&controller_words(controller)));
    }
    if finding.objects.len() > 1 {
        let objects: Vec<String> = finding.objects.iter().map(escaped).collect();
        text.push_str(&details("Objects", &objects));
    }
    text.push_str(&details("Evidence", &evidence(finding)));
    let _ = writeln!(text, "<p class=\"quiet\">More: <code>{COMMAND} explain {}</code></p>", escaped(finding.page()));
    text + "</article>\n"
}

/// The evidence and its sources; then the chain, and the controller.
fn evidence(finding: &Finding) -> Vec<String> {
    let read = finding.evidence.iter().map(|evidence| {
        let place = place(evidence).map(|place| format!(" <span class=\"quiet\">({})</span>", escaped(&place)));
        escaped(&evidence.text) + &place.unwrap_or_default()
    });
    let chain = finding.chain.iter().map(|link| {
        let (class, word) = match link.state {
            LinkState::Fine => ("good", "works"),
            LinkState::Affected => ("warn", "affected"),
            LinkState::Broken => ("bad", "broken"),
            LinkState::Unknown => ("", "unknown"),
        };
        format!("{} {}: {}", tag(class, word), escaped(&link.object.to_string()), escaped(&link.text))
    });
    let controller = finding.controller.iter().flat_map(|controller| &controller.evidence).map(escaped);
    read.chain(chain).chain(controller).collect()
}

fn what_is_blocked(report: &Report) -> String {
    let (rows, rest) = blocked::rows(report, MAX_WRITTEN, |_| true);
    if rows.is_empty() || report.about == About::Preflight {
        return String::new();
    }
    let table = table("What is blocked", &["Object", "Namespace", "Waits for", "Owner"], rows);
    table + &and_more(rest, "objects")
}

fn what_waits(outline: &Outline<'_>) -> String {
    let (forest, rest) = &outline.trees;
    if forest.is_empty() {
        return String::new();
    }
    let items: String = forest.iter().map(branch).collect();
    format!("<ul class=\"tree\">\n{items}</ul>\n{}", and_more(*rest, "objects"))
}

fn branch(branch: &Branch) -> String {
    let below: String = branch.below.iter().map(self::branch).collect();
    let below = if below.is_empty() { below } else { format!("\n<ul>\n{below}</ul>\n") };
    format!("<li><span>{}</span>{}{below}</li>\n", escaped(&branch.text), mark(&branch.mark))
}

/// The mark beside a branch, as a word.
fn mark(mark: &str) -> String {
    let mut rest = mark.chars();
    let (class, word) = match rest.next() {
        Some('✗') => ("bad", "broken"),
        Some('⏳') => ("warn", "waiting"),
        Some('↓') => ("warn", "affected"),
        Some('✓') => ("good", "works"),
        Some('?') => ("", "unknown"),
        _ => return String::new(),
    };
    let said = rest.as_str().trim();
    format!(" {}", tag(class, if said.is_empty() { word } else { said }))
}

fn offer((Offer { number, remedy }, commands): &(Offer<'_>, Vec<Cow<'_, str>>)) -> String {
    let (label, kin) = number.map_or_else(|| ("or".into(), " or"), |number| (number.to_string(), ""));
    let class = match remedy.risk {
        Risk::Manual => "",
        Risk::Harmless => "good",
        Risk::Disruptive => "warn",
        Risk::Leaks | Risk::LosesData => "bad",
    };
    let by_hand = ByHand::new(&remedy.title);
    let (title, risk) = (escaped(&by_hand.what), tag(class, &cost(remedy)));
    let below: String = by_hand.pieces.iter().map(piece).collect();
    format!(
        "<article class=\"card{kin}\">\n<div class=\"head\"><span class=\"number\">{label}</span><h3>{title}</h3>{risk}</div>\n\
         {below}<p>{}</p>\n{}</article>\n",
        escaped(&remedy.consequence),
        written(commands)
    )
}

/// What a person does: a command in a box of its own, or words.
fn piece(piece: &Below) -> String {
    match piece {
        Below::Command(command) => pre(&[command.as_str()]),
        Below::Words(words) => format!("<p>{}</p>\n", escaped(words)),
    }
}

fn written(commands: &[Cow<'_, str>]) -> String {
    let written: Vec<&str> = commands.iter().take(MAX_WRITTEN).map(AsRef::as_ref).collect();
    pre(&written) + &and_more(commands.len() - written.len(), "commands")
}

/// One deletion in a preflight.
fn turn((turn, number): (&Turn, usize)) -> String {
    let why = if turn.why.is_empty() { String::new() } else { format!("{}; ", escaped(&turn.why)) };
    let why = format!("<p>{why}risk: {}</p>\n", turn.risk);
    let commands: Vec<&str> = turn.commands.iter().map(String::as_str).collect();
    format!(
        "<article class=\"card\">\n<div class=\"head\"><span class=\"number\">{number}</span><h3>{}</h3></div>\n{why}{}</article>\n",
        escaped(&turn.title),
        pre(&commands)
    )
}

/// A part of the page below its heading; nothing if it is empty.
fn section(heading: &str, inner: &str) -> String {
    if inner.is_empty() {
        return String::new();
    }
    format!("<section>\n<h2>{heading}</h2>\n{inner}</section>\n")
}

/// A table that scrolls by itself on a narrow screen, also with the keyboard.
fn table(name: &str, columns: &[&str], rows: Vec<impl AsRef<[String]>>) -> String {
    let heads: Vec<String> = columns.iter().map(|column| format!("<th scope=\"col\">{column}</th>")).collect();
    let heads = heads.concat();
    let mut text = format!(
        "<div class=\"scroll\" role=\"region\" aria-label=\"{name}\" tabindex=\"0\">\n<table>\n\
         <thead><tr>{heads}</tr></thead>\n<tbody>\n"
    );
    for row in rows {
        let mut cells = row.as_ref().iter().map(escaped);
        let head = cells.next().unwrap_or_default();
        let rest: Vec<String> = cells.map(|cell| format!("<td>{cell}</td>")).collect();
        let _ = writeln!(text, "<tr><th scope=\"row\">{head}</th>{}</tr>", rest.concat());
    }
    text + "</tbody>\n</table>\n</div>\n"
}

/// A list of HTML items that is unfolded on request.
fn details(name: &str, items: &[String]) -> String {
    if items.is_empty() {
        return String::new();
    }
    format!("<details>\n<summary>{name} ({})</summary>\n{}</details>\n", items.len(), list(items))
}

fn list(items: &[String]) -> String {
    if items.is_empty() {
        return String::new();
    }
    let written: Vec<String> = items.iter().take(MAX_WRITTEN).map(|item| format!("<li>{item}</li>\n")).collect();
    format!("<ul>\n{}</ul>\n{}", written.concat(), and_more(items.len().saturating_sub(MAX_WRITTEN), "lines"))
}

fn pre(commands: &[&str]) -> String {
    if commands.is_empty() {
        return String::new();
    }
    let lines: Vec<String> = commands.iter().map(escaped).collect();
    format!("<pre><code>{}</code></pre>\n", lines.join("\n"))
}

fn tag(class: &str, text: &str) -> String {
    let class = if class.is_empty() { "tag".into() } else { format!("tag {class}") };
    format!("<span class=\"{class}\">{}</span>", escaped(text))
}

fn and_more(rest: usize, what: &str) -> String {
    layout::left_out(rest, what).map(|more| format!("<p>{more}</p>\n")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::hostile;

    #[test]
    fn text_from_the_cluster_stays_text() {
        let page = html(&hostile::report());
        hostile::is_clean(&page);
        assert!(page.contains("&lt;/script&gt;&lt;img src=x") && !page.contains('\u{fffe}'), "{page}");
        assert!(!page.contains("<script") && !page.contains("</script") && !page.contains("<img"), "{page}");
        assert!(!page.contains("<!--") && !page.contains("]]>"), "{page}");
    }
}
