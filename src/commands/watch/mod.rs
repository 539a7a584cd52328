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
use crate::cluster::apply::is_gone;
use crate::cluster::gather::Freshness;
use crate::cluster::watch::{Heard, watch};
use crate::failure::{Exit, Failure};
use crate::report::{Report, State, Target as TargetReport};
use crate::survey::{Reason, Want};
use picture::Picture;
use std::collections::BTreeMap;
use std::pin::Pin;
use std::time::Duration;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::task::AbortHandle;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep, sleep_until};
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

type Diagnosis<'a> = Pin<Box<dyn Future<Output = Result<Diagnosed, Failure>> + 'a>>;

/// What a GET said of a target that seemed to be gone.
struct ReadBack {
    index: usize,
    gone: bool,
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
    watches: BTreeMap<Want, AbortHandle>,
    /// Which targets are being read back.
    checked: Vec<bool>,
    heard: Sender<Heard>,
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
    let (events, incoming) = channel(1024);
    let (heard, from_watches) = channel(1024);
    let picture = Picture::new(&diagnosed, Instant::now());
    live.choose(picture.targets.iter().map(|target| target.name.clone()).collect());
    let checked = vec![false; picture.targets.len()];
    let mut session = Session {
        live,
        options,
        picture,
        view: View::new(options),
        watches: BTreeMap::new(),
        checked,
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
    async fn follow(&mut self, mut incoming: Receiver<ReadBack>, mut heard: Receiver<Heard>) -> End {
        let deadline = deadline(self.options);
        let mut tick = interval(TICK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut resized = resized();
        let mut diagnosis: Option<(Instant, Diagnosis<'a>)> = None;
        self.watch_places();
        loop {
            if self.picture.there().next().is_none() {
                return End::AllGone;
            }
            tokio::select! {
                Some(read_back) = incoming.recv() => self.take_back(&read_back),
                Some(heard) = heard.recv() => self.take_in(heard),
                diagnosed = async { diagnosis.as_mut().expect("there is one").1.as_mut().await }, if diagnosis.is_some() => {
                    let begun = diagnosis.take().map_or_else(Instant::now, |(begun, _)| begun);
                    self.took = begun.elapsed();
                    if self.renew(diagnosed) {
                        return End::ToDo;
                    }
                }
                _ = tick.tick() => {
                    self.picture.sample(Instant::now());
                    if self.told_at.elapsed() >= LINE_EVERY {
                        self.told_at = Instant::now();
                        self.view.tell(&mut self.picture);
                    }
                    self.view.show(&self.picture, diagnosis.is_some(), self.options);
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

    fn take_in(&mut self, heard: Heard) {
        if let Some(index) = self.picture.hear(heard, Instant::now()).filter(|index| !self.checked[*index]) {
            self.checked[index] = true;
            self.read_back(index);
        }
    }

    fn take_back(&mut self, read_back: &ReadBack) {
        let ReadBack { index, gone } = *read_back;
        self.checked[index] = false;
        if gone {
            self.view.tell(&mut self.picture);
            self.picture.is_gone(index, Instant::now());
            self.view.gone(&self.picture, index);
            self.live.choose(self.picture.there().map(|(_, target)| target.name.clone()).collect());
            self.watch_places();
        }
    }

    /// Asks the store itself whether a target is gone, until it answers.
    fn read_back(&self, index: usize) {
        let target = &self.picture.targets[index];
        let (name, uid) = (target.name.clone(), target.object.uid.clone());
        let (api, events) = (self.live.connected.api.clone(), self.events.clone());
        tokio::spawn(async move {
            let gone = loop {
                match is_gone(&api, &name, &uid).await {
                    Ok(gone) => break gone,
                    Err(_) if events.is_closed() => return,
                    Err(_) => sleep(Duration::from_secs(1)).await,
                }
            };
            events.send(ReadBack { index, gone }).await.ok();
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
        let places = self.picture.places();
        self.watches.retain(|place, watch| {
            let keep = places.contains(place);
            if !keep {
                watch.abort();
            }
            keep
        });
        for place in places {
            let (api, heard) = (self.live.connected.api.clone(), self.heard.clone());
            let begin = |place: &Want| tokio::spawn(watch(api, place.clone(), heard)).abort_handle();
            self.watches.entry(place.clone()).or_insert_with(|| begin(&place));
        }
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

impl Drop for Session<'_> {
    fn drop(&mut self) {
        self.watches.values().for_each(AbortHandle::abort);
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
