//! Picks the records of a log to keep.

use super::about::Matcher;
use super::clean::{in_one_line, shortened};
use super::line::{Bearing, LogLine, LogOf};
use super::names::template;
use super::record::Record;
use super::records::records;
use super::sentence::{MAX_CHARS, sentence};
use super::severity::Severity;
use super::trouble::{is_race, trouble};
use jiff::Timestamp;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// How many records of a log are kept.
const MAX_LINES: usize = 20;
/// How many different ones are compared.
const MAX_COMPARED: usize = 2000;
/// How many characters of its beginning are kept if the sentence of a longer record is further back.
const HEAD_CHARS: usize = 120;
/// How often a write must lose a race to count as trouble.
const RACES: u32 = 3;

/// The records that say the same.
#[derive(Debug)]
struct Alike {
    /// The best of them.
    line: LogLine,
    /// Its place in the log.
    place: usize,
    /// How many were written before the deletion.
    before: u32,
    is_race: bool,
}

/// The records that are kept, by whether they are about the object, and by what they say.
#[derive(Debug, Default)]
struct Templates {
    by_template: BTreeMap<(bool, String), Alike>,
}

/// The relevant records of `log`. For a terminated run, its last words come first. Then come records
/// about the object, those with a problem first; then problems with its kind, its finalizer or its
/// namespace. Within each group, errors come first, then what is new since the deletion, then the
/// latest. Records that differ only in numbers and names are kept once.
///
/// A line of `log` may begin with its time, as the API provides on request.
#[must_use]
pub fn pick(log: &str, of: &LogOf) -> Vec<LogLine> {
    let mut sought = Matcher::new(&of.about);
    if log.contains("reconcileID") {
        records(log).for_each(|record| sought.learn(&Record::read(record)));
    }
    let (mut kept, mut last_words) = (Templates::default(), None);
    for (place, written) in records(log).enumerate() {
        let record = Record::read(written);
        let trouble = trouble(&record, sought.names());
        let is_old = of.about.since.zip(record.at).is_some_and(|(since, at)| at < since);
        if let Some(bearing) = bearing(&sought, &record, if is_old { Severity::Info } else { trouble }) {
            kept.add(line(&record, bearing, trouble), place, is_old);
        }
        if of.previous && (record.is_fatal || last_words.as_ref().is_none_or(|(last, _): &(Record, _)| !last.is_fatal))
        {
            last_words = Some((record, trouble));
        }
    }
    let mut lines = kept.lines();
    if let Some((record, trouble)) = last_words {
        let last = line(&record, Bearing::LastWords, trouble);
        let gist = last.gist();
        lines.retain(|line| line.gist() != gist);
        lines.insert(0, last);
    }
    lines.truncate(MAX_LINES);
    lines
}

fn bearing(sought: &Matcher, record: &Record, trouble: Severity) -> Option<Bearing> {
    let is_trouble = trouble > Severity::Info;
    match sought.is_in(record) {
        true if is_trouble => Some(Bearing::TroubleWithIt),
        true => Some(Bearing::Names),
        false => (is_trouble && sought.is_near(record)).then_some(Bearing::Trouble),
    }
}

impl Templates {
    fn add(&mut self, line: LogLine, place: usize, is_old: bool) {
        let message = line.message();
        let key = (line.bearing != Bearing::Trouble, template(&message));
        let is_race = is_race(&message);
        let known = self.by_template.remove(&key);
        let (before, times) = known.as_ref().map_or((0, 0), |known| (known.before, known.line.times));
        let (before, times) = if is_old { (before + 1, times) } else { (before, times + 1) };
        let new = Alike { line, place, before, is_race };
        let tells_more = |known: &Alike| known.line.is_about_end && !new.line.is_about_end;
        let is_better = |known: &Alike| {
            known.line.bearing < new.line.bearing || known.line.bearing == new.line.bearing && tells_more(known)
        };
        let mut best = match known {
            Some(known) if is_better(&known) => known,
            _ => new,
        };
        best.before = before;
        best.line.times = times;
        self.by_template.insert(key, best);
        if self.by_template.len() > MAX_COMPARED {
            let mut all: Vec<_> = std::mem::take(&mut self.by_template).into_iter().collect();
            all.sort_by_key(|(_, alike)| alike.rank());
            all.truncate(MAX_COMPARED / 2);
            self.by_template.extend(all);
        }
    }

    fn lines(self) -> Vec<LogLine> {
        let judged = |((_, key), alike): ((bool, String), Alike)| Some((key, alike.judged()?));
        let mut all: Vec<(String, Alike)> = self.by_template.into_iter().filter_map(judged).collect();
        all.sort_by_key(|(_, alike)| alike.rank());
        let mut told = BTreeSet::new();
        all.retain(|(key, _)| told.insert(key.clone()));
        all.into_iter().map(|(_, alike)| alike.line).take(MAX_LINES).collect()
    }
}

impl Alike {
    fn rank(&self) -> impl Ord + use<> {
        (self.line.rank(), Reverse(self.place))
    }

    /// The same with what only shows when the whole log was read.
    fn judged(mut self) -> Option<Self> {
        self.line.is_new = self.line.times > 1 && self.before == 0;
        if self.is_race && self.line.times < RACES {
            self.line.level = Severity::Info;
            match self.line.bearing {
                Bearing::TroubleWithIt => self.line.bearing = Bearing::Names,
                Bearing::Trouble => return None,
                Bearing::LastWords | Bearing::Names => {}
            }
        }
        Some(self)
    }
}

fn line(record: &Record, bearing: Bearing, level: Severity) -> LogLine {
    let message = sentence(record);
    let text = text(record, &message);
    let at: Option<Timestamp> = record.at;
    let is_about_end = is_about_end(&record.raw);
    LogLine { level, message: Some(message), times: 1, is_about_end, ..LogLine::new(at, bearing, text) }
}

/// Whether a record is about a deletion or a clean-up.
fn is_about_end(raw: &str) -> bool {
    const WORDS: [&str; 7] = ["clean", "delet", "deprovision", "destroy", "finaliz", "remov", "terminat"];
    let lower = raw.to_ascii_lowercase();
    WORDS.iter().any(|word| lower.contains(word))
}

/// The first line of a record, with the sentence if that is elsewhere or further back.
fn text(record: &Record, sentence: &str) -> String {
    let first = in_one_line(record.raw.lines().next().unwrap_or_default());
    let begin = sentence.split_inclusive(' ').take(2).collect::<String>();
    let is_elsewhere = record.raw.contains('\n') && !first.contains(begin.trim_end());
    if !is_elsewhere && first.chars().nth(MAX_CHARS).is_none() {
        return first;
    }
    if !is_elsewhere && first.starts_with(sentence) {
        return shortened(&first, MAX_CHARS);
    }
    let begin = shortened(&first, HEAD_CHARS);
    let sign = if begin.ends_with('…') { " " } else { " … " };
    let room = MAX_CHARS - begin.chars().count() - sign.chars().count();
    format!("{begin}{sign}{}", shortened(sentence, room))
}
