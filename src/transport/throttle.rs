//! How many requests may be in flight, depending on the link and on the server's load.

use http::Version;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// The limit on a fast link. More would be slower: the server's own work queues up.
const MAX_ON_FAST_LINK: usize = 24;
/// How many requests an API server handles at a time on a connection (kubernetes/kubernetes:
/// `staging/src/k8s.io/apiserver/pkg/server/secure_serving.go`).
pub(crate) const MAX_STREAMS: usize = 100;
/// The limit on a slow link, where most time is spent in transit: as many as two connections take.
const MAX_ON_SLOW_LINK: usize = 2 * MAX_STREAMS;
/// The limit on a slow link if each request needs its own connection.
const MAX_ON_SLOW_HTTP1: usize = 100;
/// The lowest limit, however busy the server is.
const MIN_IN_FLIGHT: usize = 3;
/// On a slow link, even the fastest answer takes longer than this.
pub(crate) const FAST_ANSWER: Duration = Duration::from_millis(25);

/// How many answers are needed to judge whether the server has become slower. The fastest of them
/// decides: others may be delayed by their size, by other programs or by queues on the way.
const ANSWERS_TO_JUDGE: u32 = 16;
/// The server has become slower if that answer takes this many times as long as the fastest of all.
const SLOWER_FACTOR: u32 = 4;
/// It must also be slower by this much: on a fast link, a busy machine alone may reach the factor.
const SLOWER_BY: Duration = Duration::from_millis(250);
/// The maximum number of times that the limit is halved for a slower server.
const MAX_HALVINGS: u32 = 2;

/// Useless retries are forgotten after this time.
const FORGOTTEN: Duration = Duration::from_mins(1);

/// The time limits of requests.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// A read. If it takes longer, its result is unread.
    pub read: Duration,
    /// A read of an aggregated API, which any kind of server may serve; or a dry run, which may
    /// wait for a hanging webhook.
    pub probe: Duration,
    /// A write, which may pass several webhooks that each take up to 30 seconds.
    pub write: Duration,
}

/// The state of the link and the server. All requests share it.
#[derive(Debug)]
pub(crate) struct Throttle {
    /// The duration of the fastest answer, in microseconds.
    fastest: AtomicU64,
    /// Whether the server answers only one request at a time on a connection.
    is_http1: AtomicBool,
    capacity: Mutex<Capacity>,
    latency: Mutex<Latency>,
    /// The time until which the server asked for a pause.
    pause: Mutex<Option<Instant>>,
    /// The time since which no retried request has been answered.
    in_vain: Mutex<Option<Instant>>,
}

/// How many requests a busy server accepts at a time, judging by its 429s.
#[derive(Debug, Default)]
struct Capacity {
    /// The limit, or `None` if there was no 429 lately.
    most: Option<usize>,
    /// The time when the limit was last set. Requests that were sent earlier say nothing about it.
    since: Option<Instant>,
    /// The number of answers since then.
    answers: usize,
}

/// Whether the server has become slower.
#[derive(Debug)]
struct Latency {
    /// How often the limit is halved because of this.
    halvings: u32,
    /// The time when this was last set. Requests that were sent earlier say nothing about it.
    since: Instant,
    /// The number of answers since then, and the fastest of them.
    answers: u32,
    fastest: Duration,
}

impl Default for Throttle {
    fn default() -> Self {
        Self {
            fastest: AtomicU64::new(u64::MAX),
            is_http1: AtomicBool::default(),
            capacity: Mutex::default(),
            latency: Mutex::new(Latency::new(0)),
            pause: Mutex::default(),
            in_vain: Mutex::default(),
        }
    }
}

impl Capacity {
    fn of(most: Option<usize>) -> Self {
        Self { most, since: Some(Instant::now()), answers: 0 }
    }

    /// Raises the limit a little after as many answers as may be in flight, as TCP does.
    fn note(&mut self, sent: Instant, usual: usize) {
        let Some(most) = self.most.filter(|_| self.since.is_none_or(|since| sent >= since)) else { return };
        self.answers += 1;
        if self.answers >= most {
            let more = most + usual / MAX_ON_FAST_LINK;
            *self = Self::of((more < usual).then_some(more));
        }
    }
}

impl Latency {
    fn new(halvings: u32) -> Self {
        Self { halvings, since: Instant::now(), answers: 0, fastest: Duration::MAX }
    }

    fn note(&mut self, sent: Instant, after: Duration, fastest_of_all: Duration) {
        if sent < self.since {
            return;
        }
        self.answers += 1;
        self.fastest = self.fastest.min(after);
        if self.answers == ANSWERS_TO_JUDGE {
            let bound = (fastest_of_all * SLOWER_FACTOR).max(fastest_of_all + SLOWER_BY);
            let halvings = if self.fastest > bound { self.halvings + 1 } else { self.halvings.saturating_sub(1) };
            *self = Self::new(halvings.min(MAX_HALVINGS));
        }
    }
}

impl Throttle {
    /// Notes that the answer to a request sent at `sent` began `after` this time. `tells` says
    /// whether this time shows the speed of the server alone, without any webhook.
    pub(crate) fn answered(&self, sent: Instant, after: Duration, tells: bool) {
        let micros = u64::try_from(after.as_micros()).unwrap_or(u64::MAX);
        let fastest = self.fastest.fetch_min(micros, Ordering::Relaxed).min(micros);
        if tells {
            let usual = self.usual();
            lock(&self.capacity).note(sent, usual);
            let mut latency = lock(&self.latency);
            latency.note(sent, after, Duration::from_micros(fastest));
        }
    }

    /// Notes the HTTP version of an answer.
    pub(crate) fn speaks(&self, version: Version) {
        self.is_http1.store(version < Version::HTTP_2, Ordering::Relaxed);
    }

    /// Notes that the server was busy and asked for a pause. The pause holds for all requests: if
    /// only one waited, the server would not be relieved.
    pub(crate) fn refused(&self, pause: Duration) {
        let now = Instant::now();
        let Some(until) = now.checked_add(pause) else { return };
        let mut known = lock(&self.pause);
        // Requests that were in flight together were refused for the same reason.
        if known.is_none_or(|known| known <= now) {
            let usual = self.usual();
            let mut capacity = lock(&self.capacity);
            *capacity = Capacity::of(Some((capacity.most.unwrap_or(usual).min(usual) / 2).max(MIN_IN_FLIGHT)));
        }
        *known = Some(known.map_or(until, |known| known.max(until)));
    }

    /// Waits until the server accepts requests again.
    pub(crate) async fn wait(&self) {
        let until = *lock(&self.pause);
        if let Some(until) = until {
            tokio::time::sleep_until(until).await;
        }
    }

    /// Whether to retry a request that may take as long as `patience`: not if retries have helped
    /// no request for that long. Otherwise each request would wait uselessly, one after the other.
    pub(crate) fn is_worth_another_try(&self, patience: Duration) -> bool {
        let mut in_vain = lock(&self.in_vain);
        let since = in_vain.filter(|since| since.elapsed() <= FORGOTTEN).unwrap_or_else(Instant::now);
        *in_vain = Some(since);
        since.elapsed() <= patience
    }

    /// Notes that a retried request was answered.
    pub(crate) fn has_helped(&self) {
        *lock(&self.in_vain) = None;
    }

    /// Whether the server has answered anything so far.
    pub(crate) fn has_begun(&self) -> bool {
        self.fastest.load(Ordering::Relaxed) != u64::MAX
    }

    /// Whether the link is known to be slow.
    pub(crate) fn is_slow(&self) -> bool {
        self.has_begun() && Duration::from_micros(self.fastest.load(Ordering::Relaxed)) > FAST_ANSWER
    }

    /// How many requests may be in flight. The limit is halved after each 429 and then raised step
    /// by step, and it is halved as long as the server is slower than before.
    pub(crate) fn in_flight(&self) -> usize {
        let most = lock(&self.capacity).most;
        let most = most.map_or(self.usual(), |most| most.min(self.usual()));
        let halvings = lock(&self.latency).halvings;
        (most >> halvings).max(MIN_IN_FLIGHT)
    }

    /// The limit on this link for a server that is not busy.
    fn usual(&self) -> usize {
        match (self.is_slow(), self.is_http1.load(Ordering::Relaxed)) {
            (true, false) => MAX_ON_SLOW_LINK,
            (true, true) => MAX_ON_SLOW_HTTP1,
            (false, _) => MAX_ON_FAST_LINK,
        }
    }
}

/// Locks a mutex, also if a thread has panicked while it held the lock.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Notes an answer that took this many milliseconds.
    fn answer(throttle: &Throttle, after: u64) {
        throttle.answered(Instant::now(), Duration::from_millis(after), true);
    }

    fn answers(throttle: &Throttle, after: u64) {
        (0..ANSWERS_TO_JUDGE).for_each(|_| answer(throttle, after));
    }

    #[test]
    fn a_slow_link_allows_more_requests_in_flight() {
        let throttle = Throttle::default();
        assert_eq!(throttle.in_flight(), MAX_ON_FAST_LINK, "nothing is known yet");
        answer(&throttle, 110);
        assert_eq!(throttle.in_flight(), MAX_ON_SLOW_LINK);
        answer(&throttle, 4);
        answer(&throttle, 80);
        assert_eq!(throttle.in_flight(), MAX_ON_FAST_LINK, "the fastest answer tells");
    }

    #[test]
    fn fewer_connections_than_streams_are_opened() {
        let throttle = Throttle::default();
        answer(&throttle, 110);
        throttle.speaks(Version::HTTP_11);
        assert_eq!(throttle.in_flight(), MAX_ON_SLOW_HTTP1);
        throttle.speaks(Version::HTTP_2);
        assert_eq!(throttle.in_flight(), MAX_ON_SLOW_LINK);
    }

    #[test]
    fn refusals_halve_the_requests_in_flight() {
        let throttle = Throttle::default();
        throttle.refused(Duration::ZERO);
        assert_eq!(throttle.in_flight(), MAX_ON_FAST_LINK / 2);
        (0..100).for_each(|_| throttle.refused(Duration::ZERO));
        assert_eq!(throttle.in_flight(), MIN_IN_FLIGHT);
    }

    #[test]
    fn the_limit_grows_step_by_step_after_refusals() {
        for (link, most) in [(2, MAX_ON_FAST_LINK), (110, MAX_ON_SLOW_LINK)] {
            let throttle = Throttle::default();
            answer(&throttle, link);
            let before = Instant::now();
            throttle.refused(Duration::ZERO);
            (0..most).for_each(|_| throttle.answered(before, Duration::from_millis(link), true));
            assert_eq!(throttle.in_flight(), most / 2, "what was sent before tells nothing");
            (0..most / 2).for_each(|_| answer(&throttle, link));
            let more = throttle.in_flight();
            assert!(more > most / 2 && more <= most / 2 + most / MAX_ON_FAST_LINK, "{more}");
            (0..most / 4).for_each(|_| answer(&throttle, link));
            throttle.refused(Duration::ZERO);
            assert_eq!(throttle.in_flight(), more / 2);
            (0..most * MAX_ON_FAST_LINK).for_each(|_| answer(&throttle, link));
            assert_eq!(throttle.in_flight(), most, "as many as ever, and no more");
        }
    }

    #[test]
    fn a_burst_of_refusals_counts_once() {
        let throttle = Throttle::default();
        (0..MAX_ON_FAST_LINK).for_each(|_| throttle.refused(Duration::from_secs(5)));
        assert_eq!(throttle.in_flight(), MAX_ON_FAST_LINK / 2);
    }

    #[test]
    fn a_slower_server_gets_fewer_requests_until_it_recovers() {
        for (link, most) in [(2, MAX_ON_FAST_LINK), (110, MAX_ON_SLOW_LINK)] {
            let throttle = Throttle::default();
            answers(&throttle, link);
            assert_eq!(throttle.in_flight(), most);
            answers(&throttle, 900);
            assert_eq!(throttle.in_flight(), most / 2);
            (0..5).for_each(|_| answers(&throttle, 900));
            assert_eq!(throttle.in_flight(), most / 4, "and no less for that");
            answers(&throttle, link + 40);
            assert_eq!(throttle.in_flight(), most / 2);
            answers(&throttle, link);
            assert_eq!(throttle.in_flight(), most);
        }
    }

    #[test]
    fn delays_of_some_answers_do_not_make_the_server_slow() {
        let throttle = Throttle::default();
        answers(&throttle, 2);
        answers(&throttle, 200);
        assert_eq!(throttle.in_flight(), MAX_ON_FAST_LINK, "a busy machine");
        for _ in 0..10 {
            (1..ANSWERS_TO_JUDGE).for_each(|_| answer(&throttle, 3000));
            answer(&throttle, 20);
        }
        assert_eq!(throttle.in_flight(), MAX_ON_FAST_LINK, "large answers");
        let sent = Instant::now();
        answers(&throttle, 900);
        for _ in 0..ANSWERS_TO_JUDGE {
            throttle.answered(sent, Duration::from_millis(900), true);
            throttle.answered(Instant::now(), Duration::from_millis(900), false);
        }
        assert_eq!(
            throttle.in_flight(),
            MAX_ON_FAST_LINK / 2,
            "what was sent before, and what waits for others, tells nothing"
        );
        let throttle = Throttle::default();
        answers(&throttle, 60);
        answers(&throttle, 290);
        assert_eq!(throttle.in_flight(), MAX_ON_SLOW_LINK, "two hundred in flight");
    }

    #[tokio::test]
    async fn useless_retries_stop() {
        let (throttle, patience) = (Throttle::default(), Duration::from_millis(20));
        assert!(throttle.is_worth_another_try(patience) && throttle.is_worth_another_try(patience));
        tokio::time::sleep(Duration::from_millis(30)).await;
        assert!(!throttle.is_worth_another_try(patience));
        assert!(throttle.is_worth_another_try(FORGOTTEN), "a write has more patience");
        throttle.has_helped();
        assert!(throttle.is_worth_another_try(patience));
    }

    #[tokio::test]
    async fn everybody_waits_for_the_longest_pause() {
        let throttle = Throttle::default();
        let start = Instant::now();
        throttle.refused(Duration::from_millis(30));
        throttle.refused(Duration::from_millis(10));
        throttle.wait().await;
        assert!(start.elapsed() >= Duration::from_millis(30));
    }
}
