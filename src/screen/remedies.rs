//! The remedies with their risk. Each command stands on a line of its own.

use crate::plan::full_name;
use crate::plugin::COMMAND;
use crate::report::{About, Finding, Remedy, Report};
use crate::screen::by_hand::ByHand;
use crate::screen::detail::Detail;
use crate::screen::layout::{Look, block, command_line, height};
use crate::screen::marks::cost_in_style;
use crate::screen::offers::{Offer, first_offers};
use crate::screen::{clean, palette};
use std::borrow::Cow;

/// The indent of the text in the list.
const INDENT: usize = 5;
/// The lines of a small terminal, which a single cause fits together with its question.
pub(crate) const SCREEN: usize = 24;
/// The lines of the heading and of the line that counts hidden remedies.
const FRAME: usize = 2;
/// Nobody reads a longer command of kubectl; `--dry-run` shows it.
const MAX_COMMAND: usize = 120;
/// A consequence up to this length is repeated instead of replaced by "as above".
const MAX_REPEATED: usize = 40;

/// The surroundings of the list.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ListPlace {
    /// How many causes are shown.
    pub causes: usize,
    /// How many other lines the screen has.
    pub beside: usize,
    /// The lines of the question below, which lists the remedies of a single cause itself.
    pub question: Option<usize>,
}

/// The remedies with their risk, milder ones of a cause first.
pub(crate) fn what_to_do(report: &Report, place: ListPlace, detail: Detail, look: Look) -> String {
    let lines = SCREEN.saturating_sub(FRAME + place.question.unwrap_or(0) + place.beside);
    let (offers, hidden) =
        fewer(report, place, lines, detail, look, |offer| way(offer, &risk(offer.remedy), report, detail, look));
    if offers.is_empty() {
        return left_out_by_hand(hidden);
    }
    let risks = risks(&offers);
    let ways = offers.iter().zip(&risks).map(|(offer, risk)| way(offer, risk, report, detail, look));
    let text = format!(" {}\n{}", palette::heading("WHAT TO DO"), ways.collect::<String>());
    let more = match hidden {
        0 => String::new(),
        1 => " … and 1 more way: -o wide shows it\n".into(),
        more => format!(" … and {more} more ways: -o wide shows them\n"),
    };
    text + &more
}

/// The line for remedies of which none is shown: the question below lists those with steps.
fn left_out_by_hand(hidden: usize) -> String {
    match hidden {
        0 => String::new(),
        1 => " 1 way is done by hand: -o wide shows it\n".into(),
        more => format!(" {more} ways are done by hand: -o wide shows them\n"),
    }
}

/// The remedies to show, and how many are left out. Findings that follow from a root cause need no remedy
/// of their own; the mildest remedy and the first one with steps have priority.
fn fewer(
    report: &Report,
    place: ListPlace,
    room: usize,
    detail: Detail,
    look: Look,
    way: impl Fn(&Offer<'_>) -> String,
) -> (Vec<Offer<'_>>, usize) {
    let mut offers = first_offers(report, place.causes);
    if look.all {
        return (offers, 0);
    }
    let roots = report.root_causes().len();
    if place.question.is_some() {
        by_hand_alone(&mut offers);
    }
    let all = offers.len();
    let of_root = |remedy: &Remedy| {
        report.findings.iter().any(|finding| finding.is_root_cause() && finding.remedies.contains(&remedy.id))
    };
    let mut shown: Vec<Offer<'_>> = offers.into_iter().filter(|offer| roots == 0 || of_root(offer.remedy)).collect();
    let (mut used, mut of_this, mut has_step) = (0, 0, false);
    shown.retain(|offer| {
        if offer.number.is_some() {
            (of_this, has_step) = (0, false);
        }
        let lines = height(&way(offer), look.width);
        let is_step = !offer.remedy.steps.is_empty() && !has_step;
        let fits = if roots == 1 { used + lines <= room } else { of_this < detail.ways };
        let stays = detail.ways > 0 && (of_this == 0 || is_step || fits);
        if stays {
            (used, of_this, has_step) = (used + lines, of_this + 1, has_step || is_step);
        }
        stays
    });
    let hidden = all - shown.len();
    (shown, hidden)
}

/// Leaves out what the questions offer. The first remedy that stays of a cause has its number.
fn by_hand_alone(offers: &mut Vec<Offer<'_>>) {
    let mut of_cause = None;
    offers.retain_mut(|offer| {
        of_cause = offer.number.or(of_cause);
        let stays = offer.remedy.steps.is_empty();
        offer.number = if stays { of_cause.take() } else { None };
        stays
    });
}

/// A remedy as an entry of the list: the action, its commands, and the risk.
fn way(Offer { number, remedy }: &Offer<'_>, risk: &str, report: &Report, detail: Detail, look: Look) -> String {
    let lead = format!(" {}  ", label(*number));
    let below = " ".repeat(INDENT + 2);
    if remedy.steps.is_empty() && !detail.has_consequence {
        return in_short(remedy, &lead, &below, look.lines(detail.by_hand), look.width);
    }
    let by_hand = ByHand::new(&remedy.title);
    let title = block(&lead, &by_hand.what, look.width, usize::MAX);
    let command = in_a_line(remedy, report).map(|command| command_line(&below, &command)).unwrap_or_default();
    title + &by_hand.lines(&below, look.width) + &command + &block(&below, risk, look.width, usize::MAX)
}

/// The command for the steps of a remedy, in a line that can be read: kubectl's own, or the one that carries out
/// exactly these steps.
fn in_a_line<'r>(remedy: &'r Remedy, report: &Report) -> Option<Cow<'r, str>> {
    if let [step] = &remedy.steps[..]
        && step.command.len() <= MAX_COMMAND
    {
        return Some(step.command.as_str().into());
    }
    let offers = |finding: &&Finding| finding.remedies.contains(&remedy.id);
    let target = report.findings.iter().find(offers)?.blocks.first()?;
    let exactly = || format!("{COMMAND} {} --approve-plan {}", full_name(target), remedy.digest);
    (report.about == About::Targets && !remedy.steps.is_empty()).then(|| exactly().into())
}

/// A remedy done by hand in at most `most` lines. Its commands are shown whole or not at all.
fn in_short(remedy: &Remedy, lead: &str, below: &str, most: usize, width: usize) -> String {
    let by_hand = ByHand::new(&remedy.title);
    let what = format!("{}: {}", cost_in_style(remedy), by_hand.what);
    let whole = block(lead, &what, width, usize::MAX) + &by_hand.lines(below, width);
    if height(&whole, width) <= most {
        return whole;
    }
    if by_hand.pieces.is_empty() {
        return block(lead, &what, width, most);
    }
    block(lead, &format!("{what} (-o wide shows how)"), width, usize::MAX)
}

fn label(number: Option<usize>) -> String {
    number.map_or_else(|| "or".into(), |number| format!("{number:>2}"))
}

/// The cost of each remedy, or "as above" if it equals that of the remedy before.
fn risks(offers: &[Offer<'_>]) -> Vec<String> {
    let all: Vec<String> = offers.iter().map(|offer| risk(offer.remedy)).collect();
    let told = |place: usize| {
        let (text, is_same) = (&all[place], place > 0 && all[place] == all[place - 1]);
        if is_same && text.len() > MAX_REPEATED {
            format!("{}: as above", cost_in_style(offers[place].remedy))
        } else {
            text.clone()
        }
    };
    (0..all.len()).map(told).collect()
}

fn risk(remedy: &Remedy) -> String {
    format!("{}: {}", cost_in_style(remedy), clean(&remedy.consequence))
}
