//! How many requests may be under way: by the link, and by what the server bears.

use http::Version;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// On a fast link more in flight is slower: the server's own work queues up.
const FAST: usize = 24;
/// An API server takes so many at once on a connection
/// (kubernetes/kubernetes: `staging/src/k8s.io/apiserver/pkg/server/secure_serving.go`).
pub(super) const STREAMS: usize = 100;
/// On a slow link requests travel most of the time: as many as two connections take,
const SLOW: usize = 2 * STREAMS;
/// or fewer where each needs a connection of its own.
const SLOW_HTTP1: usize = 100;
/// However short of room a server is.
const FEWEST: usize = 3;
/// The fastest answer on a slow link took longer.
pub(super) const FAST_ANSWER: Duration = Duration::from_millis(25);

/// So many answers tell whether the server has become slower: the fastest of them does. How
/// large an answer is, who else computes here and what queues up in between delays some.
const TELLING: u32 = 16;
/// It has become slower when that one takes so many times as long as the fastest of all,
const TIMES_AS_LONG: u32 = 4;
/// and so much longer: a busy machine on a fast link is no reason.
const LONGER: Duration = Duration::from_millis(250);
/// A slower server is asked for half as much at a time, so often at most.
const MOST_EASED: u32 = 2;

/// That requests were tried again in vain says nothing any more after this time.
const FORGOTTEN: Duration = Duration::from_mins(1);

/// How long requests may take.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// A read: what hangs longer is unread.
    pub read: Duration,
    /// A read of an aggregated API, whose server may be anybody's, and a dry run that
    /// only asks: a webhook may hang.
    pub probe: Duration,
    /// A write, which may pass several webhooks of up to 30 seconds each.
    pub write: Duration,
}

/// What is known of the link and the server; shared by all requests.
#[derive(Debug)]
pub(super) struct Pace {
    /// The time that the fastest answer took, in microseconds.
    fastest: AtomicU64,
    /// The server answers one request after the other on a connection.
    is_http1: AtomicBool,
    room: Mutex<Room>,
    latency: Mutex<Latency>,
    /// Until when the server wants to be left alone.
    pause: Mutex<Option<Instant>>,
    /// Since when nothing that was tried again has been answered.
    in_vain: Mutex<Option<Instant>>,
}

/// How many requests the server takes at a time, as far as it has been short of room (429).
#[derive(Debug, Default)]
struct Room {
    /// So many; `None` when it was not, or not lately.
    most: Option<usize>,
    /// Since that was last set: what was sent before tells nothing of it.
    since: Option<Instant>,
    /// So many answers since.
    answers: usize,
}

/// Whether the server has become slower.
#[derive(Debug)]
struct Latency {
    /// How often the number in flight is halved for it.
    eased: u32,
    /// Since that was last set: what was sent before tells nothing of it.
    since: Instant,
    /// So many answers since, and the fastest of them.
    answers: u32,
    fastest: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            fastest: AtomicU64::new(u64::MAX),
            is_http1: AtomicBool::default(),
            room: Mutex::default(),
            latency: Mutex::new(Latency::new(0)),
            pause: Mutex::default(),
            in_vain: Mutex::default(),
        }
    }
}

impl Room {
    fn of(most: Option<usize>) -> Self {
        Self { most, since: Some(Instant::now()), answers: 0 }
    }

    /// As many answers as may be in flight, and there is room for some more: as TCP does it.
    fn note(&mut self, sent: Instant, usual: usize) {
        let Some(most) = self.most.filter(|_| self.since.is_none_or(|since| sent >= since)) else { return };
        self.answers += 1;
        if self.answers >= most {
            let more = most + usual / FAST;
            *self = Self::of((more < usual).then_some(more));
        }
    }
}

impl Latency {
    fn new(eased: u32) -> Self {
        Self { eased, since: Instant::now(), answers: 0, fastest: Duration::MAX }
    }

    fn note(&mut self, sent: Instant, after: Duration, fastest_of_all: Duration) {
        if sent < self.since {
            return;
        }
        self.answers += 1;
        self.fastest = self.fastest.min(after);
        if self.answers == TELLING {
            let bound = (fastest_of_all * TIMES_AS_LONG).max(fastest_of_all + LONGER);
            let eased = if self.fastest > bound { self.eased + 1 } else { self.eased.saturating_sub(1) };
            *self = Self::new(eased.min(MOST_EASED));
        }
    }
}

impl Pace {
    /// An answer to a request that was sent then has begun after this time; `tells` of the
    /// server's own pace where no webhook had a say in it.
    pub(super) fn answered(&self, sent: Instant, after: Duration, tells: bool) {
        let micros = u64::try_from(after.as_micros()).unwrap_or(u64::MAX);
        let fastest = self.fastest.fetch_min(micros, Ordering::Relaxed).min(micros);
        if tells {
            let usual = self.usual();
            self.room.lock().unwrap_or_else(PoisonError::into_inner).note(sent, usual);
            let mut latency = self.latency.lock().unwrap_or_else(PoisonError::into_inner);
            latency.note(sent, after, Duration::from_micros(fastest));
        }
    }

    /// An answer came in this version of HTTP.
    pub(super) fn speaks(&self, version: Version) {
        self.is_http1.store(version < Version::HTTP_2, Ordering::Relaxed);
    }

    /// The server was short of room, and asks for a pause: for all requests, since what one
    /// of them keeps to is no relief.
    pub(super) fn refused(&self, pause: Duration) {
        let now = Instant::now();
        let Some(until) = now.checked_add(pause) else { return };
        let mut known = self.pause.lock().unwrap_or_else(PoisonError::into_inner);
        // What was under way at the same time was refused for the same reason.
        if known.is_none_or(|known| known <= now) {
            let usual = self.usual();
            let mut room = self.room.lock().unwrap_or_else(PoisonError::into_inner);
            *room = Room::of(Some((room.most.unwrap_or(usual).min(usual) / 2).max(FEWEST)));
        }
        *known = Some(known.map_or(until, |known| known.max(until)));
    }

    /// Waits as long as the server wants to be left alone.
    pub(super) async fn wait(&self) {
        let until = *self.pause.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(until) = until {
            tokio::time::sleep_until(until).await;
        }
    }

    /// Whether to try a request again, of which `patience` says how long it may take: not when
    /// that has helped none for so long. Each would wait in vain, one after the other.
    pub(super) fn is_worth_another_try(&self, patience: Duration) -> bool {
        let mut in_vain = self.in_vain.lock().unwrap_or_else(PoisonError::into_inner);
        let since = in_vain.filter(|since| since.elapsed() <= FORGOTTEN).unwrap_or_else(Instant::now);
        *in_vain = Some(since);
        since.elapsed() <= patience
    }

    /// A request was answered that had been tried again.
    pub(super) fn has_helped(&self) {
        *self.in_vain.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Whether the server has answered anything so far.
    pub(super) fn has_begun(&self) -> bool {
        self.fastest.load(Ordering::Relaxed) != u64::MAX
    }

    /// Whether it is known that requests travel for long.
    pub(super) fn is_slow(&self) -> bool {
        self.has_begun() && Duration::from_micros(self.fastest.load(Ordering::Relaxed)) > FAST_ANSWER
    }

    /// How many requests may be in flight: half as many each time that the server was short
    /// of room, from then on some more step by step, and half as many as long as it is slower
    /// than it was.
    pub(super) fn in_flight(&self) -> usize {
        let most = self.room.lock().unwrap_or_else(PoisonError::into_inner).most;
        let most = most.map_or(self.usual(), |most| most.min(self.usual()));
        let eased = self.latency.lock().unwrap_or_else(PoisonError::into_inner).eased;
        (most >> eased).max(FEWEST)
    }

    /// On this link, of a server that has room.
    fn usual(&self) -> usize {
        match (self.is_slow(), self.is_http1.load(Ordering::Relaxed)) {
            (true, false) => SLOW,
            (true, true) => SLOW_HTTP1,
            (false, _) => FAST,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An answer to what was sent just now, after so many milliseconds.
    fn answer(pace: &Pace, after: u64) {
        pace.answered(Instant::now(), Duration::from_millis(after), true);
    }

    fn answers(pace: &Pace, after: u64) {
        (0..TELLING).for_each(|_| answer(pace, after));
    }

    #[test]
    fn a_slow_link_takes_more_at_a_time() {
        let pace = Pace::default();
        assert_eq!(pace.in_flight(), FAST, "nothing is known yet");
        answer(&pace, 110);
        assert_eq!(pace.in_flight(), SLOW);
        answer(&pace, 4);
        answer(&pace, 80);
        assert_eq!(pace.in_flight(), FAST, "the fastest answer tells");
    }

    #[test]
    fn fewer_connections_than_streams_are_opened() {
        let pace = Pace::default();
        answer(&pace, 110);
        pace.speaks(Version::HTTP_11);
        assert_eq!(pace.in_flight(), SLOW_HTTP1);
        pace.speaks(Version::HTTP_2);
        assert_eq!(pace.in_flight(), SLOW);
    }

    #[test]
    fn a_server_that_is_short_of_room_is_asked_for_less() {
        let pace = Pace::default();
        pace.refused(Duration::ZERO);
        assert_eq!(pace.in_flight(), FAST / 2);
        (0..100).for_each(|_| pace.refused(Duration::ZERO));
        assert_eq!(pace.in_flight(), FEWEST);
    }

    #[test]
    fn a_server_that_has_room_again_is_asked_for_more_step_by_step() {
        for (link, most) in [(2, FAST), (110, SLOW)] {
            let pace = Pace::default();
            answer(&pace, link);
            let before = Instant::now();
            pace.refused(Duration::ZERO);
            (0..most).for_each(|_| pace.answered(before, Duration::from_millis(link), true));
            assert_eq!(pace.in_flight(), most / 2, "what was sent before tells nothing");
            (0..most / 2).for_each(|_| answer(&pace, link));
            let more = pace.in_flight();
            assert!(more > most / 2 && more <= most / 2 + most / FAST, "{more}");
            (0..most / 4).for_each(|_| answer(&pace, link));
            pace.refused(Duration::ZERO);
            assert_eq!(pace.in_flight(), more / 2);
            (0..most * FAST).for_each(|_| answer(&pace, link));
            assert_eq!(pace.in_flight(), most, "as many as ever, and no more");
        }
    }

    #[test]
    fn a_burst_of_refusals_is_one() {
        let pace = Pace::default();
        (0..FAST).for_each(|_| pace.refused(Duration::from_secs(5)));
        assert_eq!(pace.in_flight(), FAST / 2);
    }

    #[test]
    fn a_server_that_becomes_slower_is_asked_for_less_until_it_is_as_fast_as_it_was() {
        for (link, most) in [(2, FAST), (110, SLOW)] {
            let pace = Pace::default();
            answers(&pace, link);
            assert_eq!(pace.in_flight(), most);
            answers(&pace, 900);
            assert_eq!(pace.in_flight(), most / 2);
            (0..5).for_each(|_| answers(&pace, 900));
            assert_eq!(pace.in_flight(), most / 4, "and no less for that");
            answers(&pace, link + 40);
            assert_eq!(pace.in_flight(), most / 2);
            answers(&pace, link);
            assert_eq!(pace.in_flight(), most);
        }
    }

    #[test]
    fn what_only_delays_some_answers_is_no_slower_server() {
        let pace = Pace::default();
        answers(&pace, 2);
        answers(&pace, 200);
        assert_eq!(pace.in_flight(), FAST, "a busy machine");
        for _ in 0..10 {
            (1..TELLING).for_each(|_| answer(&pace, 3000));
            answer(&pace, 20);
        }
        assert_eq!(pace.in_flight(), FAST, "large answers");
        let sent = Instant::now();
        answers(&pace, 900);
        for _ in 0..TELLING {
            pace.answered(sent, Duration::from_millis(900), true);
            pace.answered(Instant::now(), Duration::from_millis(900), false);
        }
        assert_eq!(pace.in_flight(), FAST / 2, "what was sent before, and what waits for others, tells nothing");
        let pace = Pace::default();
        answers(&pace, 60);
        answers(&pace, 290);
        assert_eq!(pace.in_flight(), SLOW, "two hundred in flight");
    }

    #[tokio::test]
    async fn what_helps_none_is_not_tried_for_all() {
        let (pace, patience) = (Pace::default(), Duration::from_millis(20));
        assert!(pace.is_worth_another_try(patience) && pace.is_worth_another_try(patience));
        tokio::time::sleep(Duration::from_millis(30)).await;
        assert!(!pace.is_worth_another_try(patience));
        assert!(pace.is_worth_another_try(FORGOTTEN), "a write has more patience");
        pace.has_helped();
        assert!(pace.is_worth_another_try(patience));
    }

    #[tokio::test]
    async fn everybody_waits_for_the_longest_pause() {
        let pace = Pace::default();
        let start = Instant::now();
        pace.refused(Duration::from_millis(30));
        pace.refused(Duration::from_millis(10));
        pace.wait().await;
        assert!(start.elapsed() >= Duration::from_millis(30));
    }
}
