//! `-w`: watches until everything is gone. Objects are followed by watches; the diagnosis is
//! repeated only if something relevant has changed.

mod content;
mod moment;
mod pace;
mod picture;
#[cfg(test)]
mod testing;
mod view;
mod watched;

use super::source::{Diagnosed, Live, hide_progress};
use super::{interrupt, out};
use crate::cli::{Cli, Options};
use crate::failure::{Exit, Failure};
use crate::read::gather::Freshness;
use crate::read::sharing::{WatchGroup, WatchKey, share};
use crate::read::watch::{Update, poll, watch};
use crate::report::{Report, State, TargetReport};
use crate::survey::Reason;
use crate::write::existence::are_gone;
use picture::WatchPicture;
pub use picture::gist;
use std::collections::{BTreeMap, BTreeSet};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::task::AbortHandle;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until};
use view::View;

/// How often the picture is drawn.
const TICK: Duration = Duration::from_millis(500);
/// Changes within this time are printed in one line.
const PRINT_EVERY: Duration = Duration::from_secs(2);
/// The minimum time between diagnoses.
const DIAGNOSE_EVERY: Duration = Duration::from_secs(10);
/// After this long without a change, something may have become stuck.
const QUIET: Duration = Duration::from_secs(15);
/// The maximum time between diagnoses: facts that are not watched may change, too.
const DIAGNOSE_AT_LEAST_EVERY: Duration = Duration::from_mins(1);
/// How long a target must be unreadable before the watch ends: a restarting server refuses requests
/// for a while that it accepts later.
const BLIND_FOR: Duration = Duration::from_secs(15);
/// How many polled lists are read at a time.
const MAX_POLLING: usize = 4;
/// The pause before a target that could not be read back is read again.
const READ_BACK_PAUSE: Duration = Duration::from_secs(1);

type PendingDiagnosis<'a> = Pin<Box<dyn Future<Output = Result<Diagnosed, Failure>> + 'a>>;

/// The results of GETs of targets that seem to be gone; `None` if there was no answer.
type ReadBack = Vec<(usize, Option<bool>)>;

/// An open watch, or a polled list.
struct Open {
    group: WatchGroup,
    is_polled: bool,
    task: AbortHandle,
}

/// How a watch ends.
enum SessionEnd {
    ToDo,
    AllGone,
    TimeIsUp,
    Interrupted,
    Blind(Failure),
}

struct Session<'a> {
    live: &'a Live,
    options: &'a Options,
    picture: WatchPicture,
    view: View,
    watches: BTreeMap<WatchKey, Open>,
    /// Limits how many polled lists are read at a time.
    seats: Arc<Semaphore>,
    /// The targets that seem to be gone.
    to_read_back: BTreeSet<usize>,
    /// Whether targets are being read back.
    reads_back: bool,
    /// Whether the set of places to watch has changed.
    is_other: bool,
    heard: Sender<Update>,
    events: Sender<ReadBack>,
    /// How long the last diagnosis took.
    took: Duration,
    /// The time when changes were last printed.
    told_at: Instant,
    /// Whether a step that was approved beforehand can be carried out for a report.
    to_do: &'a dyn Fn(&Report) -> bool,
}

/// The result of a watch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WatchResult {
    /// The watch is over.
    Over(Exit),
    /// A step can be carried out that was approved beforehand.
    ToDo,
}

/// Watches the diagnosed targets until they are gone or there is something `to_do`.
///
/// # Errors
/// When the targets can no longer be read, or on Ctrl-C.
pub async fn run(
    live: &Live,
    diagnosed: Diagnosed,
    cli: &Cli,
    to_do: &dyn Fn(&Report) -> bool,
) -> Result<WatchResult, Failure> {
    let options = &cli.options;
    let was_there = |target: &TargetReport| target.state != State::Gone;
    let all_there = diagnosed.report.targets.iter().all(was_there);
    hide_progress();
    let (events, incoming) = channel(1);
    let (heard, from_watches) = channel(1024);
    let picture = WatchPicture::new(&diagnosed, Instant::now());
    live.choose(picture.targets.iter().map(|target| target.name.clone()).collect());
    let mut session = Session {
        live,
        options,
        picture,
        view: View::new(options),
        watches: BTreeMap::new(),
        seats: Arc::new(Semaphore::new(MAX_POLLING)),
        to_read_back: BTreeSet::new(),
        reads_back: false,
        is_other: false,
        heard,
        events,
        took: Duration::ZERO,
        told_at: Instant::now(),
        to_do,
    };
    drop(diagnosed);
    session.view.begin(&session.picture, options);
    let end = session.follow(incoming, from_watches).await;
    if matches!(end, SessionEnd::ToDo) {
        return Ok(session.hand_over());
    }
    session.finish(end, all_there || options.ignore_not_found).map(WatchResult::Over)
}

/// The time at which to stop, if there is any.
pub fn deadline(options: &Options) -> Option<Instant> {
    let limit = options.timeout.filter(|limit| !limit.is_zero());
    limit.and_then(|limit| Instant::now().checked_add(limit))
}

impl<'a> Session<'a> {
    async fn follow(&mut self, mut incoming: Receiver<ReadBack>, mut heard: Receiver<Update>) -> SessionEnd {
        let deadline = deadline(self.options);
        let mut tick = interval(TICK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut resized = resized();
        let mut diagnosis: Option<(Instant, PendingDiagnosis<'a>)> = None;
        self.watch_places();
        loop {
            if self.picture.is_over() {
                return SessionEnd::AllGone;
            }
            tokio::select! {
                Some(read_back) = incoming.recv() => self.take_back(read_back),
                Some(heard) = heard.recv() => self.take_in(heard),
                diagnosed = async { diagnosis.as_mut().expect("there is one").1.as_mut().await }, if diagnosis.is_some() => {
                    let begun = diagnosis.take().map_or_else(Instant::now, |(begun, _)| begun);
                    self.took = begun.elapsed();
                    if self.renew(diagnosed) {
                        return SessionEnd::ToDo;
                    }
                }
                _ = tick.tick() => {
                    self.tick(diagnosis.is_some());
                    if let Some(failure) = self.blind() {
                        return SessionEnd::Blind(failure);
                    }
                    if diagnosis.is_none() && self.wants_diagnosis() {
                        diagnosis = Some((Instant::now(), Box::pin(self.live.diagnose(Freshness::Cached))));
                    }
                }
                () = resized.wait() => self.view.show(&self.picture, diagnosis.is_some(), self.options),
                () = until(deadline) => return SessionEnd::TimeIsUp,
                () = interrupt::pressed() => return SessionEnd::Interrupted,
            }
        }
    }

    /// Runs at intervals, so that many changes at once are handled together.
    fn tick(&mut self, is_diagnosing: bool) {
        if std::mem::take(&mut self.is_other) {
            self.live.choose(self.picture.there().map(|(_, target)| target.name.clone()).collect());
            self.watch_places();
        }
        self.picture.sample(Instant::now());
        if self.told_at.elapsed() >= PRINT_EVERY {
            self.told_at = Instant::now();
            self.view.tell(&mut self.picture);
        }
        self.view.show(&self.picture, is_diagnosing, self.options);
    }

    fn take_in(&mut self, heard: Update) {
        if let Some(index) = self.picture.hear(heard, Instant::now()) {
            self.to_read_back.insert(index);
            self.read_back();
        }
    }

    fn take_back(&mut self, answers: ReadBack) {
        self.reads_back = false;
        let mut is_gone = false;
        for (index, gone) in answers {
            match gone {
                Some(true) => {
                    if !is_gone {
                        self.view.tell(&mut self.picture);
                    }
                    is_gone = true;
                    self.picture.is_gone(index, Instant::now());
                    self.to_read_back.remove(&index);
                }
                Some(false) => {}
                None => drop(self.to_read_back.insert(index)),
            }
        }
        if is_gone {
            self.view.gone(&mut self.picture);
            self.is_other = true;
        }
        self.read_back();
    }

    /// Reads from the store whether the targets that seem to be gone really are, one batch at a
    /// time.
    fn read_back(&mut self) {
        if self.reads_back || self.to_read_back.is_empty() {
            return;
        }
        self.reads_back = true;
        let asked: Vec<usize> = std::mem::take(&mut self.to_read_back).into_iter().collect();
        let target = |index: &usize| {
            let target = &self.picture.targets[*index];
            (target.name.clone(), target.object.uid.clone())
        };
        let targets: Vec<_> = asked.iter().map(target).collect();
        let (api, events) = (self.live.connected.api.clone(), self.events.clone());
        tokio::spawn(async move {
            let answers = are_gone(&api, &targets).await;
            if answers.iter().any(Result::is_err) {
                tokio::time::sleep(READ_BACK_PAUSE).await;
            }
            events.send(asked.into_iter().zip(answers.into_iter().map(Result::ok)).collect()).await.ok();
        });
    }

    /// Takes a new diagnosis. Returns whether something can be done about it.
    fn renew(&mut self, diagnosed: Result<Diagnosed, Failure>) -> bool {
        // The watches continue, and report it if the server does not answer.
        let Ok(diagnosed) = diagnosed else {
            self.picture.was_not_diagnosed(Instant::now());
            return false;
        };
        let news = self.picture.renew(&diagnosed, Instant::now());
        // A watch may have missed that a target is gone.
        self.to_read_back.extend(self.picture.not_found());
        self.read_back();
        self.view.tell(&mut self.picture);
        self.view.renew(&self.picture, news, self.options);
        self.watch_places();
        (self.to_do)(&diagnosed.report)
    }

    /// Releases the screen for the steps to be carried out.
    fn hand_over(&mut self) -> WatchResult {
        self.view.tell(&mut self.picture);
        self.view = View::Documents(view::Printed::default());
        WatchResult::ToDo
    }

    /// Opens and closes watches, so that exactly the needed ones are open.
    fn watch_places(&mut self) {
        let open = self.watches.values().filter(|open| !open.is_polled).map(|open| open.group.key()).collect();
        let shared = share(self.picture.places(), &open);
        self.picture.too_many = shared.polled.len();
        let wanted = shared.watched.into_iter().map(|group| (group, false));
        let wanted: Vec<(WatchGroup, bool)> =
            wanted.chain(shared.polled.into_iter().map(|group| (group, true))).collect();
        let mut before = std::mem::take(&mut self.watches);
        let mut to_begin = Vec::new();
        for (group, is_polled) in wanted {
            match before.remove(&group.key()) {
                Some(open) if open.is_polled == is_polled && open.group.serves(&group) => {
                    self.watches.insert(group.key(), open);
                }
                other => {
                    other.iter().for_each(Open::end);
                    to_begin.push((group, is_polled));
                }
            }
        }
        // Unneeded watches are closed first, so that there are never too many.
        before.values().for_each(Open::end);
        for (group, is_polled) in to_begin {
            self.begin(group, is_polled);
        }
    }

    fn begin(&mut self, group: WatchGroup, is_polled: bool) {
        let (api, heard) = (self.live.connected.api.clone(), self.heard.clone());
        let task = if is_polled {
            tokio::spawn(poll(api, group.clone(), heard, Arc::clone(&self.seats)))
        } else {
            tokio::spawn(watch(api, group.clone(), heard))
        };
        self.watches.insert(group.key(), Open { group, is_polled, task: task.abort_handle() });
    }

    fn wants_diagnosis(&self) -> bool {
        let (quiet, age) = self.picture.ages(Instant::now());
        // Surveying a large cluster takes time; the server must not be kept busy with it.
        let pause = DIAGNOSE_EVERY.max(self.took * 5);
        // Nothing has changed for a while, and the last diagnosis is older than that.
        let quiet_since_then = quiet >= QUIET && quiet < QUIET + age;
        age >= pause && (self.picture.matters || quiet_since_then || age >= DIAGNOSE_AT_LEAST_EVERY)
    }

    /// The target that has been unreadable for too long, as a failure.
    fn blind(&self) -> Option<Failure> {
        let (since, target, why) = self.picture.blind(Instant::now())?;
        let for_good = matches!(why.reason, Reason::Forbidden | Reason::Unauthorized | Reason::NotServed);
        (for_good && since >= BLIND_FOR)
            .then(|| Failure::unknown(format!("{} can no longer be read: {why}", target.object)))
    }

    fn finish(&mut self, end: SessionEnd, all_there: bool) -> Result<Exit, Failure> {
        self.view.tell(&mut self.picture);
        self.view.end(&self.picture, self.options);
        if self.view.is_for_programs() && self.picture.close_report() {
            out::report(&self.picture.report, self.options);
        }
        let silent = self.picture.blind(Instant::now()).map(|(_, target, why)| {
            Failure::unknown(format!("the time is up, and {} cannot be read: {why}", target.object))
        });
        // Shows the cursor before anything else is printed.
        self.view = View::Documents(view::Printed::default());
        match end {
            SessionEnd::AllGone if all_there => Ok(Exit::Fine),
            SessionEnd::AllGone | SessionEnd::ToDo => Ok(Exit::Unknown),
            SessionEnd::Interrupted => {
                Err(Failure::interrupted("interrupted: the deletion continues, this watch has ended"))
            }
            SessionEnd::Blind(failure) => Err(failure),
            SessionEnd::TimeIsUp => silent.map_or_else(|| Ok(self.time_is_up()), Err),
        }
    }

    fn time_is_up(&self) -> Exit {
        out::talk("the time is up");
        let undecided = |target: &TargetReport| target.state == State::Unknown;
        let only_unknown = !self.picture.is_stuck() && self.picture.report.targets.iter().any(undecided);
        if only_unknown { Exit::Unknown } else { Exit::Stuck }
    }
}

impl Open {
    fn end(&self) {
        self.task.abort();
    }
}

impl Drop for Session<'_> {
    fn drop(&mut self) {
        self.watches.values().for_each(Open::end);
    }
}

/// Waits for the time to stop.
pub async fn until(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => sleep_until(deadline).await,
        None => std::future::pending().await,
    }
}

/// Notices when the terminal is resized.
struct Resized {
    #[cfg(unix)]
    signal: Option<tokio::signal::unix::Signal>,
}

fn resized() -> Resized {
    Resized {
        #[cfg(unix)]
        signal: tokio::signal::unix::signal(tokio::signal::unix::SignalKind::window_change()).ok(),
    }
}

impl Resized {
    async fn wait(&mut self) {
        #[cfg(unix)]
        if let Some(signal) = &mut self.signal {
            signal.recv().await;
            return;
        }
        std::future::pending::<()>().await;
    }
}
