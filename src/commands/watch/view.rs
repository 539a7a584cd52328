//! Shows a watch: on a live screen, as lines in a pipe, or as one report after the other.

use super::content::Change;
use super::moment::WaitReason;
use super::picture::WatchPicture;
use crate::cli::Options;
use crate::commands::live_screen::LiveScreen;
use crate::commands::out;
use crate::export::Printer;
use crate::screen;
use crate::screen::{Called, Look, Shown, objects};
use std::collections::BTreeMap;
use tokio::time::Instant;

/// How many targets are listed.
const MAX_LISTED: usize = 20;

/// The form in which a watch is shown.
pub enum View {
    /// On a terminal.
    Screen(LiveScreen),
    /// In a pipe: one line for each change.
    Lines(Printed),
    /// For programs: one report after each change.
    Documents(Printed),
}

/// The lines that were already printed.
#[derive(Default)]
pub struct Printed {
    causes: Vec<WaitReason>,
    polled: usize,
    blind: bool,
}

impl View {
    /// The requested view.
    pub fn new(options: &Options) -> Self {
        match options.output.printer() {
            Printer::Data(..) => Self::Documents(Printed::default()),
            // Other formats of a watch were refused before.
            _ if out::is_screen() => Self::Screen(LiveScreen::new()),
            _ => Self::Lines(Printed::default()),
        }
    }

    /// Whether the output is read by a program.
    pub fn is_for_programs(&self) -> bool {
        matches!(self, Self::Documents(_))
    }

    /// Shows the state at the start.
    pub fn begin(&mut self, picture: &WatchPicture, options: &Options) {
        match self {
            Self::Screen(_) => self.show(picture, false, options),
            Self::Lines(lines) => {
                say_there(picture, "", "");
                lines.say_causes(picture);
            }
            Self::Documents(_) => out::report(&picture.report, options),
        }
    }

    /// Shows the current state on a screen. Elsewhere, only trouble is printed: changes are
    /// collected for the next line.
    pub fn show(&mut self, picture: &WatchPicture, diagnosing: bool, options: &Options) {
        match self {
            Self::Screen(screen) => draw(screen, picture, diagnosing, false, options),
            Self::Lines(said) | Self::Documents(said) => said.say_trouble(picture),
        }
    }

    /// Prints the changes since the last call.
    pub fn tell(&mut self, picture: &mut WatchPicture) {
        let changes = std::mem::take(&mut picture.changes);
        if !matches!(self, Self::Lines(_)) {
            return;
        }
        let mut by_target: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for ((target, kind), change) in changes {
            by_target.entry(target).or_default().extend(in_words(&kind, &change));
        }
        for (index, changes) in by_target {
            let left = picture.left_in(index).map(|left| screen::left_in_words(&left)).unwrap_or_default();
            line(&format!("{}: {}; {left}", picture.targets[index].object, changes.join(", ")));
        }
    }

    /// Prints a new diagnosis.
    pub fn renew(&mut self, picture: &WatchPicture, news: bool, options: &Options) {
        match self {
            Self::Lines(lines) => lines.say_causes(picture),
            Self::Documents(_) if news => out::report(&picture.report, options),
            Self::Documents(_) | Self::Screen(_) => {}
        }
    }

    /// Shows the state at the end.
    pub fn end(&mut self, picture: &WatchPicture, options: &Options) {
        match self {
            Self::Screen(screen) => draw(screen, picture, false, true, options),
            Self::Lines(_) => say_there(picture, " still exists", " still exist"),
            Self::Documents(_) => {}
        }
    }

    /// Prints which targets are gone: by name, or their number if they are many.
    pub fn gone(&mut self, picture: &mut WatchPicture) {
        let went = std::mem::take(&mut picture.went);
        if !matches!(self, Self::Lines(_)) {
            return;
        }
        for index in went.iter().take(MAX_LISTED) {
            let target = &picture.targets[*index];
            if let Some(gone) = target.gone {
                line(&format!("verified: {} is {}", target.object, gone.state()));
            }
        }
        if went.len() > MAX_LISTED {
            let left = picture.there().count();
            line(&format!("verified: {} more gone; {} left", went.len() - MAX_LISTED, objects(left)));
        }
    }
}

/// Prints the targets that exist, and the number of those that are not listed.
fn say_there(picture: &WatchPicture, one: &str, several: &str) {
    for (index, target) in picture.there().take(MAX_LISTED) {
        let left = picture.left_in(index).map(|left| format!(": {}", screen::left_in_words(&left)));
        line(&format!("{}{one}{}", target.object, left.unwrap_or_default()));
    }
    let there = picture.there().count();
    if there > MAX_LISTED {
        line(&format!("and {} more{several}", there - MAX_LISTED));
    }
}

fn draw(screen: &mut LiveScreen, picture: &WatchPicture, diagnosing: bool, over: bool, options: &Options) {
    let (rows, width) = screen.size();
    let look = Look { width, ..out::look(options) };
    let moment = picture.moment(Instant::now(), diagnosing, over);
    screen.draw(&screen::watch_screen(&moment, look, rows - 1), (rows, width));
}

impl Printed {
    fn say_causes(&mut self, picture: &WatchPicture) {
        let causes = picture.causes();
        let is_new = |cause: &&WaitReason| !self.causes.iter().any(|known| known.is_like(cause));
        for cause in causes.iter().filter(is_new) {
            line(&format!("waits for: {}", cause.text));
        }
        self.causes = causes;
    }

    fn say_trouble(&mut self, picture: &WatchPicture) {
        let polled = picture.polled();
        for text in polled.iter().skip(self.polled) {
            out::talk(text.as_str());
        }
        self.polled = polled.len();
        match picture.blind(Instant::now()) {
            Some((_, target, why)) if !self.blind => {
                out::talk(format!("{} cannot be read; trying again: {why}", target.object));
                self.blind = true;
            }
            None if self.blind => {
                out::talk("the API server answers again");
                self.blind = false;
            }
            _ => {}
        }
    }
}

fn in_words(kind: &Called, change: &Change) -> Vec<String> {
    let say = |count: usize, what: &str| (count > 0).then(|| format!("{} {what}", kind.counted(count)));
    let parts = [say(change.went, "went"), say(change.came, "came"), say(change.doomed, "began to be deleted")];
    parts.into_iter().flatten().collect()
}

/// A line of a watch, with the time.
#[expect(clippy::disallowed_methods, reason = "the reader's own clock, beside what happens now")]
pub fn line(text: &str) {
    let now = jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ");
    out::screen(&Shown::line(&format!("{now}  {text}")));
}
