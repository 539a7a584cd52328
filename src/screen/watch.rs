//! One moment of a watch: a screen that is redrawn again and again, or words for a line in a pipe.

use crate::inert::clean_elements;
use crate::report::State;
use crate::screen::age::age;
use crate::screen::layout::{Look, command_line, more, thousands};
use crate::screen::{Shown, clean, clean_marked, palette, wrap};
use jiff::SignedDuration;
use std::time::Duration;

/// Everything known at one moment.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Moment {
    /// The watched targets, in the order in which the user named them.
    pub targets: Vec<WatchedTarget>,
    /// The objects left in them, by kind, the most frequent first.
    pub left: Vec<LeftOfKind>,
    /// The progress, if there is any.
    pub pace: Option<Pace>,
    /// The root causes, each in one line.
    pub causes: Vec<String>,
    /// The controllers that work on the deletion.
    pub workers: Vec<String>,
    /// The controllers that should work on it and do not.
    pub missed: Vec<String>,
    /// The next event that happens without anybody's help.
    pub next: Option<String>,
    /// The command that shows what to do.
    pub command: Option<String>,
    /// Facts that cannot be read right now.
    pub trouble: Vec<String>,
    /// How long nothing has changed.
    pub quiet: Duration,
    /// Whether this moment is the last.
    pub over: bool,
    /// The time since the last diagnosis; `None` while one is running.
    pub diagnosed: Option<Duration>,
}

/// The state of one target.
#[derive(Debug, Clone, PartialEq)]
pub struct WatchedTarget {
    /// Its name as in a sentence.
    pub name: String,
    /// Whether it is gone, verified by reading it.
    pub gone: Option<Gone>,
    /// The state in the last diagnosis.
    pub state: State,
    /// How long it has been terminating.
    pub age: Option<SignedDuration>,
    /// How many objects are in it, if known.
    pub left: Option<usize>,
    /// How many were in it when most were seen.
    pub most: Option<usize>,
}

/// The way in which a target disappeared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gone {
    /// No object of its name exists.
    Away,
    /// Another object has its name now.
    Replaced,
}

/// The names that kubectl uses for objects of a kind.
#[derive(Debug, Default, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Called {
    /// The plural: `pods`, `widgets.acme.io`.
    pub many: String,
    /// The singular: `pod`, `widget.acme.io`.
    pub one: String,
}

impl Called {
    /// `1 pod`, `1,200 pods`.
    #[must_use]
    pub fn counted(&self, count: usize) -> String {
        format!("{} {}", thousands(count), clean(if count == 1 { &self.one } else { &self.many }))
    }
}

/// How many objects of a kind are left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOfKind {
    /// The kind.
    pub kind: Called,
    /// How many.
    pub count: usize,
    /// How many of them are being deleted.
    pub going: usize,
}

/// How fast objects are deleted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pace {
    /// Objects per second.
    pub rate: f64,
    /// The remaining time at this rate; `None` if something blocks some of the objects.
    pub rest: Option<Duration>,
}

impl Gone {
    /// The state of the object.
    #[must_use]
    pub fn state(self) -> &'static str {
        match self {
            Self::Away => "gone",
            Self::Replaced => "gone (another object has its name now)",
        }
    }

    /// The state, as the result of a verification.
    #[must_use]
    pub fn words(self) -> String {
        format!("verified: {}", self.state())
    }
}

/// The screen: at most `rows` lines, none of them wider than the screen.
#[must_use]
pub fn watch_screen(moment: &Moment, look: Look, rows: usize) -> Vec<Shown> {
    let mut foot = foot(moment, look);
    // On a tiny screen, the last lines matter most.
    foot.drain(..foot.len().saturating_sub(rows));
    let room = rows.saturating_sub(foot.len());
    let mut lines = cut(heads(moment), (room / 3).max(1), &of_the_rest(moment));
    let trouble: Vec<String> =
        moment.trouble.iter().flat_map(|text| in_width(&format!(" ? {}", clean(text)), look)).collect();
    // Causes need more room than counts, but both get some.
    let causes = causes(moment, look);
    let left = left(moment, look);
    let free = room.saturating_sub(lines.len() + trouble.len());
    let for_left = left.len().min((free / 2).max(free.saturating_sub(causes.len())));
    let left = cut(left, for_left, "kinds");
    let causes = cut(causes, free.saturating_sub(left.len()), "lines: leave out -w to see everything");
    lines.extend(left);
    lines.extend(causes);
    lines.extend(trouble);
    lines.truncate(room);
    lines.extend(foot);
    let shown = |line: String| {
        let line = clean_elements(&line, palette::is_style);
        let line = console::truncate_str(&line, look.width.saturating_sub(1), "…");
        Shown::finished(palette::paint(&line, look.colour))
    };
    lines.into_iter().map(shown).collect()
}

/// The lines that fit; the last one counts the rest.
fn cut(mut lines: Vec<String>, room: usize, what: &str) -> Vec<String> {
    if lines.len() > room {
        let rest = lines.len() + 1 - room;
        lines.truncate(room.saturating_sub(1));
        if room > 0 {
            lines.push(format!(" … and {}", more(rest, what)));
        }
    }
    lines
}

/// The words for targets that do not fit on the screen.
fn of_the_rest(moment: &Moment) -> String {
    let gone = moment.targets.iter().filter(|one| one.gone.is_some()).count();
    match gone {
        0 => "objects that are watched".into(),
        _ => format!("that are watched; {} of {} are gone", thousands(gone), thousands(moment.targets.len())),
    }
}

/// The lines of the targets: existing ones before those that are gone.
fn heads(moment: &Moment) -> Vec<String> {
    let (gone, there): (Vec<&WatchedTarget>, Vec<&WatchedTarget>) =
        moment.targets.iter().partition(|one| one.gone.is_some());
    there.into_iter().chain(gone).map(head).collect()
}

fn head(one: &WatchedTarget) -> String {
    if let Some(gone) = one.gone {
        return format!("{}   ✓ {}", palette::heading(&clean(&one.name)), gone.words());
    }
    let age = one.age.map(|since| format!("   terminating for {}", age(since))).unwrap_or_default();
    let left = one.left.map(|count| match one.most {
        Some(most) if most > count => format!("   {} of {} left", thousands(count), objects(most)),
        _ => format!("   {} left", objects(count)),
    });
    let left = left.unwrap_or_default();
    palette::heading(&format!("{}{age}{left}{}", clean(&one.name), state(one.state)))
}

fn state(state: State) -> &'static str {
    match state {
        State::Stuck => "   stuck",
        State::Progressing => "   progressing",
        State::Unknown => "   undecided",
        State::NotDeleting | State::WouldHang | State::WouldGo => "   not being deleted",
        State::Gone => "",
    }
}

/// `1 object`, `1,204 objects`
#[must_use]
pub fn objects(count: usize) -> String {
    if count == 1 { "1 object".into() } else { format!("{} objects", thousands(count)) }
}

fn left(moment: &Moment, look: Look) -> Vec<String> {
    if moment.left.is_empty() {
        return pace(moment).into_iter().flat_map(|pace| [String::new(), format!(" {pace}")]).collect();
    }
    let widest = moment.left.iter().map(|left| console::measure_text_width(&left.kind.many)).max().unwrap_or_default();
    let name = widest.clamp(10, look.width.saturating_sub(28).max(10));
    let mut lines = vec![
        String::new(),
        palette::heading(&format!("{:name$}  {:>9}  {:>13}", "REMAINING", "OBJECTS", "BEING DELETED")),
    ];
    lines.extend(moment.left.iter().map(|left| {
        let kind = console::truncate_str(&clean(&left.kind.many), name, "…").into_owned();
        format!("{kind:name$}  {:>9}  {:>13}", thousands(left.count), thousands(left.going))
    }));
    lines.extend(pace(moment).map(|pace| format!(" {pace}")));
    lines
}

/// `12 objects/s, about 2 min left`
#[must_use]
pub fn pace(moment: &Moment) -> Option<String> {
    let Pace { rate, rest } = moment.pace?;
    let rate = if rate >= 10.0 {
        format!("{rate:.0} objects/s")
    } else if rate >= 0.1 {
        format!("{rate:.1} objects/s")
    } else {
        format!("{:.1} objects/min", rate * 60.0)
    };
    Some(rest.map_or_else(|| rate.clone(), |rest| format!("{rate}, {}", estimate(rest))))
}

fn estimate(rest: Duration) -> String {
    match rest.as_secs() {
        0..=50 => "less than a minute left".into(),
        51..=5400 => format!("about {} min left", rest.as_secs().div_ceil(60)),
        seconds => format!("about {} h left", seconds.div_ceil(3600)),
    }
}

fn causes(moment: &Moment, look: Look) -> Vec<String> {
    let mut lines = Vec::new();
    if !moment.causes.is_empty() {
        lines.extend([String::new(), palette::heading("WAITS FOR")]);
        lines.extend(moment.causes.iter().flat_map(|cause| in_width(&format!(" ⏳ {}", clean(cause)), look)));
    }
    for (heading, who) in [("WORKS ON IT", &moment.workers), ("SHOULD RELEASE IT", &moment.missed)] {
        if !who.is_empty() {
            lines.extend([String::new(), palette::heading(heading)]);
            lines.extend(who.iter().flat_map(|worker| in_width(&format!(" {}", clean(worker)), look)));
        }
    }
    if let Some(command) = &moment.command {
        lines.extend([String::new(), palette::heading("WHAT TO DO"), command_line(" ", command).trim_end().to_owned()]);
    }
    lines
}

fn foot(moment: &Moment, look: Look) -> Vec<String> {
    if moment.over {
        return Vec::new();
    }
    let looked = moment
        .diagnosed
        .map_or_else(|| "looking for causes …".to_owned(), |ago| format!("causes checked {} ago", age(as_signed(ago))));
    let foot = format!(" last change {} ago   {looked}   Ctrl-C ends the watch", age(as_signed(moment.quiet)));
    let next = moment.next.iter().flat_map(|next| in_width(&format!(" next: {}", clean(next)), look));
    std::iter::once(String::new()).chain(next).chain([foot]).collect()
}

fn as_signed(duration: Duration) -> SignedDuration {
    SignedDuration::try_from(duration).unwrap_or(SignedDuration::MAX)
}

fn in_width(text: &str, look: Look) -> Vec<String> {
    wrap(&clean_marked(text), look.width.saturating_sub(1)).lines().map(str::to_owned).collect()
}

/// `12 objects left: 10 configmaps, 2 widgets.acme.io`
#[must_use]
pub fn left_in_words(left: &[LeftOfKind]) -> String {
    let total = left.iter().map(|left| left.count).sum();
    let kinds: Vec<String> = left.iter().map(|left| left.kind.counted(left.count)).collect();
    if kinds.is_empty() {
        return "nothing left in it".into();
    }
    format!("{} left: {}", objects(total), kinds.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn called(one: &str) -> Called {
        let (name, group) =
            one.split_once('.').map_or((one, String::new()), |(name, group)| (name, format!(".{group}")));
        Called { many: format!("{name}s{group}"), one: one.into() }
    }

    fn full() -> Moment {
        let standing = |name: &str, gone| WatchedTarget {
            name: name.into(),
            gone,
            state: State::Stuck,
            age: Some(SignedDuration::from_secs(200)),
            left: Some(1204),
            most: Some(1300),
        };
        Moment {
            targets: (0..30)
                .map(|n| standing(&format!("Namespace shop-{n}"), None))
                .chain([standing("Namespace x", Some(Gone::Away))])
                .collect(),
            left: (0..40)
                .map(|n| LeftOfKind { kind: called(&format!("widget-{n}.acme.io")), count: 1200 + n, going: n })
                .collect(),
            pace: Some(Pace { rate: 12.3, rest: Some(Duration::from_secs(100)) }),
            causes: vec!["a cause with\x1b[2J many words ".repeat(20)],
            workers: vec!["Deployment acme/operator (alive)".into()],
            missed: vec!["Deployment acme/other: down".into()],
            command: Some("kubectl get ns".into()),
            next: Some("the namespace controller checks again".into()),
            trouble: vec!["the API server does not answer".into()],
            quiet: Duration::from_secs(3),
            over: false,
            diagnosed: None,
        }
    }

    #[test]
    fn a_screen_fits_any_size_and_contains_no_escapes() {
        for (width, rows) in [(80, 23), (40, 10), (200, 60), (80, 5), (40, 2)] {
            let lines = watch_screen(&full(), Look { width, colour: false, all: false }, rows);
            assert!(lines.len() <= rows.max(3), "{width}x{rows}: {lines:#?}");
            assert!(lines.iter().all(|line| console::measure_text_width(line) < width && !line.contains('\x1b')));
        }
    }

    #[test]
    fn the_watch_counts_how_many_objects_are_gone() {
        let lines = watch_screen(&full(), Look { width: 80, colour: false, all: false }, 23);
        assert!(lines.iter().any(|line| line == " … and 26 more that are watched; 1 of 31 are gone"), "{lines:#?}");
    }

    #[test]
    fn numbers_are_read_at_a_glance() {
        assert_eq!(pace(&full()).unwrap(), "12 objects/s, about 2 min left");
        assert_eq!(left_in_words(&[]), "nothing left in it");
        let left = |count| [LeftOfKind { kind: called("configmap"), count, going: 0 }];
        assert_eq!(left_in_words(&left(1)), "1 object left: 1 configmap");
        assert_eq!(left_in_words(&left(2000)), "2,000 objects left: 2,000 configmaps");
    }
}
