//! A watch as it is shown: a live screen, lines in a pipe, or report after report.

use super::content::Change;
use super::moment::Reason;
use super::picture::Picture;
use crate::cli::{Options, Output};
use crate::commands::live_screen::LiveScreen;
use crate::commands::out;
use crate::render::{self, Called, Gone, Look, Shown, objects};
use std::collections::BTreeMap;
use tokio::time::Instant;

/// So many targets are told one by one.
const TOLD: usize = 20;

/// How a watch is shown.
pub enum View {
    /// On a terminal.
    Screen(LiveScreen),
    /// In a pipe: one line for each change.
    Lines(Said),
    /// For programs: one report for each change.
    Documents(Said),
}

/// What was said already.
#[derive(Default)]
pub struct Said {
    causes: Vec<Reason>,
    polled: usize,
    blind: bool,
}

impl View {
    /// The one that was asked for.
    pub fn new(options: &Options) -> Self {
        match options.output {
            Output::Json | Output::Yaml => Self::Documents(Said::default()),
            // Other formats of a watch are refused before anything is read.
            _ if out::is_screen() => Self::Screen(LiveScreen::new()),
            _ => Self::Lines(Said::default()),
        }
    }

    /// Whether it is a program that reads.
    pub fn is_for_programs(&self) -> bool {
        matches!(self, Self::Documents(_))
    }

    /// Shows how it stands at the start.
    pub fn begin(&mut self, picture: &Picture, options: &Options) {
        match self {
            Self::Screen(_) => self.show(picture, false, options),
            Self::Lines(lines) => {
                for (index, target) in picture.there().take(TOLD) {
                    let left = picture.left_in(index).map(|left| format!(": {}", render::left_in_words(&left)));
                    line(&format!("{}{}", target.object, left.unwrap_or_default()));
                }
                say_the_rest(picture, "");
                lines.say_causes(picture);
            }
            Self::Documents(_) => out::report(&picture.report, options),
        }
    }

    /// Shows how it stands now. The changes that a line tells are taken together here.
    pub fn show(&mut self, picture: &Picture, diagnosing: bool, options: &Options) {
        match self {
            Self::Screen(screen) => draw(screen, picture, diagnosing, false, options),
            Self::Lines(said) | Self::Documents(said) => said.say_trouble(picture),
        }
    }

    /// Tells what has changed since the last time.
    pub fn tell(&mut self, picture: &mut Picture) {
        let changes = picture.take_changes();
        if !matches!(self, Self::Lines(_)) {
            return;
        }
        let mut by_target: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for ((target, kind), change) in changes {
            by_target.entry(target).or_default().extend(in_words(&kind, &change));
        }
        for (index, changes) in by_target {
            let left = picture.left_in(index).map(|left| render::left_in_words(&left)).unwrap_or_default();
            line(&format!("{}: {}; {left}", picture.targets[index].object, changes.join(", ")));
        }
    }

    /// Tells of another diagnosis.
    pub fn renew(&mut self, picture: &Picture, news: bool, options: &Options) {
        match self {
            Self::Lines(lines) => lines.say_causes(picture),
            Self::Documents(_) if news => out::report(&picture.report, options),
            Self::Documents(_) | Self::Screen(_) => {}
        }
    }

    /// Shows how it stood at the end.
    pub fn end(&mut self, picture: &Picture, options: &Options) {
        match self {
            Self::Screen(screen) => draw(screen, picture, false, true, options),
            Self::Lines(_) => {
                for (index, target) in picture.there().take(TOLD) {
                    let left = picture.left_in(index).map(|left| format!(": {}", render::left_in_words(&left)));
                    line(&format!("{} is still there{}", target.object, left.unwrap_or_default()));
                }
                say_the_rest(picture, " are still there");
            }
            Self::Documents(_) => {}
        }
    }

    /// Tells which targets have gone: by name, unless they are many at once.
    pub fn gone(&mut self, picture: &mut Picture) {
        let went = picture.take_gone();
        if !matches!(self, Self::Lines(_)) {
            return;
        }
        for index in went.iter().take(TOLD) {
            let target = &picture.targets[*index];
            if let Some(gone) = target.gone {
                line(&format!("{} is {}", target.object, gone.words()));
            }
        }
        if went.len() > TOLD {
            let left = picture.there().count();
            line(&format!("and {} more are {}; {} left", went.len() - TOLD, Gone::Away.words(), objects(left)));
        }
    }
}

/// Counts the targets that are not told one by one.
fn say_the_rest(picture: &Picture, what: &str) {
    let there = picture.there().count();
    if there > TOLD {
        line(&format!("and {} more{what}", there - TOLD));
    }
}

fn draw(screen: &mut LiveScreen, picture: &Picture, diagnosing: bool, over: bool, options: &Options) {
    let (rows, width) = screen.size();
    let look = Look { width, ..out::look(options) };
    let moment = picture.moment(Instant::now(), diagnosing, over);
    screen.draw(&render::watch_screen(&moment, look, rows - 1), (rows, width));
}

impl Said {
    fn say_causes(&mut self, picture: &Picture) {
        let causes = picture.causes();
        let is_new = |cause: &&Reason| !self.causes.iter().any(|known| known.is_like(cause));
        for cause in causes.iter().filter(is_new) {
            line(&format!("waits for: {}", cause.text));
        }
        self.causes = causes;
    }

    fn say_trouble(&mut self, picture: &Picture) {
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
    let parts = [say(change.went, "went"), say(change.came, "came"), say(change.doomed, "began to go")];
    parts.into_iter().flatten().collect()
}

/// A line of a watch, with the time.
#[expect(clippy::disallowed_methods, reason = "the reader's own clock, beside what happens now")]
pub fn line(text: &str) {
    let now = jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ");
    out::screen(&Shown::line(&format!("{now}  {text}")));
}
