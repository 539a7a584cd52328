//! `-w`: keeps looking until all is gone. What is there is followed by watches; the
//! causes are looked for again only where something changed that matters.

mod content;
mod moment;
mod pace;
mod picture;
mod view;
mod watched;

use super::source::{Diagnosed, Live};
use super::{interrupt, out};
use crate::cli::{Cli, Options};
use crate::cluster::existence::are_gone;
use crate::cluster::gather::Freshness;
use crate::cluster::sharing::{WatchGroup, WatchKey, share};
use crate::cluster::watch::{Update, poll, watch};
use crate::failure::{Exit, Failure};
use crate::report::{Report, State, Target as TargetReport};
use crate::survey::Reason;
use picture::Picture;
use std::collections::{BTreeMap, BTreeSet};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::task::AbortHandle;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until};
use view::View;

/// The picture is drawn so often.
const TICK: Duration = Duration::from_millis(500);
/// What changes within this time is told in one line.
const LINE_EVERY: Duration = Duration::from_secs(2);
/// Causes are not looked for more often.
const DIAGNOSE_EVERY: Duration = Duration::from_secs(10);
/// Nothing has changed for so long: perhaps something holds it by now.
const QUIET: Duration = Duration::from_secs(15);
/// What nobody watches may change as well.
const AT_LEAST_EVERY: Duration = Duration::from_mins(1);
/// A server that starts anew refuses for a while what it serves later.
const BLIND_FOR: Duration = Duration::from_secs(15);
/// So many lists that are polled are read at a time.
const POLLING: usize = 4;
/// A target that could not be read back is asked for again after this time.
const READ_BACK_AGAIN: Duration = Duration::from_secs(1);

type Diagnosis<'a> = Pin<Box<dyn Future<Output = Result<Diagnosed, Failure>> + 'a>>;

/// What GETs said of targets that seemed to be gone: `None` where there was no answer.
type ReadBack = Vec<(usize, Option<bool>)>;

/// A watch that is open, or a list that is polled.
struct Open {
    group: WatchGroup,
    is_polled: bool,
    task: AbortHandle,
}

/// How a watch ends.
enum End {
    ToDo,
    AllGone,
    TimeIsUp,
    Interrupted,
    Blind(Failure),
}

struct Session<'a> {
    live: &'a Live,
    options: &'a Options,
    picture: Picture,
    view: View,
    watches: BTreeMap<WatchKey, Open>,
    /// Of the kinds that are polled few are read at a time.
    seats: Arc<Semaphore>,
    /// The targets that seem to be gone.
    to_read_back: BTreeSet<usize>,
    /// Whether some are being read back.
    reads_back: bool,
    /// Whether what is there to be watched has changed.
    is_other: bool,
    heard: Sender<Update>,
    events: Sender<ReadBack>,
    /// How long the last diagnosis took.
    took: Duration,
    /// When changes were told last.
    told_at: Instant,
    /// Whether there is something to do about what was diagnosed.
    to_do: &'a dyn Fn(&Report) -> bool,
}

/// What a watch came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seen {
    /// It is over.
    End(Exit),
    /// Something is to be done that was approved beforehand.
    ToDo,
}

/// Watches what was diagnosed, until it is gone or there is something `to_do`.
///
/// # Errors
/// When it can no longer be read, or on Ctrl-C.
pub async fn run(
    live: &Live,
    diagnosed: Diagnosed,
    cli: &Cli,
    to_do: &dyn Fn(&Report) -> bool,
) -> Result<Seen, Failure> {
    let options = &cli.options;
    let was_there = |target: &TargetReport| target.state != State::Gone;
    let all_there = diagnosed.report.targets.iter().all(was_there);
    live.draw_nothing();
    let (events, incoming) = channel(1);
    let (heard, from_watches) = channel(1024);
    let picture = Picture::new(&diagnosed, Instant::now());
    live.choose(picture.targets.iter().map(|target| target.name.clone()).collect());
    let mut session = Session {
        live,
        options,
        picture,
        view: View::new(options),
        watches: BTreeMap::new(),
        seats: Arc::new(Semaphore::new(POLLING)),
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
    if matches!(end, End::ToDo) {
        return Ok(session.hand_over());
    }
    session.finish(end, all_there || options.ignore_not_found).map(Seen::End)
}

/// When to end, if ever.
fn deadline(options: &Options) -> Option<Instant> {
    let limit = options.timeout.filter(|limit| !limit.is_zero());
    limit.and_then(|limit| Instant::now().checked_add(limit))
}

impl<'a> Session<'a> {
    async fn follow(&mut self, mut incoming: Receiver<ReadBack>, mut heard: Receiver<Update>) -> End {
        let deadline = deadline(self.options);
        let mut tick = interval(TICK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut resized = resized();
        let mut diagnosis: Option<(Instant, Diagnosis<'a>)> = None;
        self.watch_places();
        loop {
            if self.picture.is_over() {
                return End::AllGone;
            }
            tokio::select! {
                Some(read_back) = incoming.recv() => self.take_back(read_back),
                Some(heard) = heard.recv() => self.take_in(heard),
                diagnosed = async { diagnosis.as_mut().expect("there is one").1.as_mut().await }, if diagnosis.is_some() => {
                    let begun = diagnosis.take().map_or_else(Instant::now, |(begun, _)| begun);
                    self.took = begun.elapsed();
                    if self.renew(diagnosed) {
                        return End::ToDo;
                    }
                }
                _ = tick.tick() => {
                    self.tick(diagnosis.is_some());
                    if let Some(failure) = self.blind() {
                        return End::Blind(failure);
                    }
                    if diagnosis.is_none() && self.wants_diagnosis() {
                        diagnosis = Some((Instant::now(), Box::pin(self.live.diagnose(Freshness::Cached))));
                    }
                }
                () = resized.wait() => self.view.show(&self.picture, diagnosis.is_some(), self.options),
                () = until(deadline) => return End::TimeIsUp,
                () = interrupt::pressed() => return End::Interrupted,
            }
        }
    }

    /// What is done every so often: what many news at once have changed is dealt with once.
    fn tick(&mut self, is_diagnosing: bool) {
        if std::mem::take(&mut self.is_other) {
            self.live.choose(self.picture.there().map(|(_, target)| target.name.clone()).collect());
            self.watch_places();
        }
        self.picture.sample(Instant::now());
        if self.told_at.elapsed() >= LINE_EVERY {
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

    /// Asks the store itself whether targets are gone: all that seem to be at a time, and
    /// nothing while an answer is awaited.
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
                tokio::time::sleep(READ_BACK_AGAIN).await;
            }
            events.send(asked.into_iter().zip(answers.into_iter().map(Result::ok)).collect()).await.ok();
        });
    }

    /// Takes in a new diagnosis; whether there is something to do about it.
    fn renew(&mut self, diagnosed: Result<Diagnosed, Failure>) -> bool {
        // That the server does not answer is said by the watches, which go on.
        let Ok(diagnosed) = diagnosed else {
            self.picture.was_not_diagnosed(Instant::now());
            return false;
        };
        let news = self.picture.renew(&diagnosed, Instant::now());
        // A watch may have missed it.
        self.to_read_back.extend(self.picture.not_found());
        self.read_back();
        self.view.tell(&mut self.picture);
        self.view.renew(&self.picture, news, self.options);
        self.watch_places();
        (self.to_do)(&diagnosed.report)
    }

    /// The screen is given back for what is to be done.
    fn hand_over(&mut self) -> Seen {
        self.view.tell(&mut self.picture);
        self.view = View::Documents(view::Said::default());
        Seen::ToDo
    }

    /// Begins and ends watches, so that just those are open that are of use.
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
        // First those end that are of no use any more: there are never too many.
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
        // A survey of a large cluster takes its time; the server is not kept busy with it.
        let pause = DIAGNOSE_EVERY.max(self.took * 5);
        // It was last looked at before it had been quiet for so long.
        let quiet_since_then = quiet >= QUIET && quiet < QUIET + age;
        age >= pause && (self.picture.matters() || quiet_since_then || age >= AT_LEAST_EVERY)
    }

    /// What cannot be read for good.
    fn blind(&self) -> Option<Failure> {
        let (since, target, why) = self.picture.blind(Instant::now())?;
        let for_good = matches!(why.reason, Reason::Forbidden | Reason::Unauthorized | Reason::NotServed);
        (for_good && since >= BLIND_FOR)
            .then(|| Failure::unknown(format!("{} can no longer be read: {why}", target.object)))
    }

    fn finish(&mut self, end: End, all_there: bool) -> Result<Exit, Failure> {
        self.view.tell(&mut self.picture);
        self.view.end(&self.picture, self.options);
        if self.view.is_for_programs() && self.picture.close_report() {
            out::report(&self.picture.report, self.options);
        }
        let silent = self.picture.blind(Instant::now()).map(|(_, target, why)| {
            Failure::unknown(format!("the time is up, and {} cannot be read: {why}", target.object))
        });
        // The cursor is back before anything else is said.
        self.view = View::Documents(view::Said::default());
        match end {
            End::AllGone if all_there => Ok(Exit::Fine),
            End::AllGone | End::ToDo => Ok(Exit::Unknown),
            End::Interrupted => Err(Failure::interrupted("interrupted: it goes on without being watched")),
            End::Blind(failure) => Err(failure),
            End::TimeIsUp => silent.map_or_else(|| Ok(self.time_is_up()), Err),
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

async fn until(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => sleep_until(deadline).await,
        None => std::future::pending().await,
    }
}

/// The terminal's changes of size.
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
