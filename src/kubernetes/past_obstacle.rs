//! Obstacles to a deletion that have ended. A controller that failed because of one tries again after
//! a pause: until then it is not late.

use crate::facts::{Facts, SETTLE, clock, since};
use jiff::{SignedDuration, Timestamp};

/// The longest pause of the namespace controller after an error (kubernetes/kubernetes:
/// `pkg/controller/namespace/namespace_controller.go`).
pub(crate) const NAMESPACE_CONTROLLER: SignedDuration = SignedDuration::from_secs(60);
/// The longest pause of controllers that use the usual queue (kubernetes/kubernetes:
/// `staging/src/k8s.io/client-go/util/workqueue/default_rate_limiters.go`).
pub(crate) const CONTROLLER: SignedDuration = SignedDuration::from_secs(1000);

/// An obstacle, and when it ended.
#[derive(Debug, Clone)]
pub(crate) struct PastObstacle {
    /// `APIService v1.acme.io was unavailable`
    pub(crate) was: String,
    /// When it ended.
    pub(crate) until: Timestamp,
}

impl PastObstacle {
    /// The obstacle and its end, in words.
    pub(crate) fn says(&self) -> String {
        format!("{} until {}", self.was, clock(self.until))
    }

    /// Whether a controller that has failed because of it since `asked`, with pauses of at most
    /// `longest`, need not have tried again yet. Each pause is twice the one before, so the last is as
    /// long as all others together.
    pub(crate) fn is_fresh(&self, asked: Timestamp, longest: SignedDuration, facts: &Facts<'_>) -> bool {
        let stood = since(asked, self.until);
        since(self.until, facts.now()) <= stood.min(longest) + SETTLE * 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::survey::{Discovery, Survey};

    #[test]
    fn a_past_obstacle_excuses_no_longer_than_it_lasted() {
        let at = |text: &str| -> Timestamp { text.parse().unwrap() };
        let survey = Survey::new(at("2026-01-01T01:00:00Z"), Discovery::default());
        let facts = Facts::new(&survey);
        let fresh = |asked: &str, until: &str| {
            let mended = PastObstacle { was: "it was away".into(), until: at(until) };
            mended.is_fresh(at(asked), NAMESPACE_CONTROLLER, &facts)
        };
        assert!(fresh("2026-01-01T00:00:00Z", "2026-01-01T00:59:50Z"), "10 s ago");
        assert!(fresh("2026-01-01T00:00:00Z", "2026-01-01T00:59:00Z"), "a minute ago");
        assert!(!fresh("2026-01-01T00:00:00Z", "2026-01-01T00:58:00Z"), "two minutes ago");
        assert!(!fresh("2026-01-01T00:59:00Z", "2026-01-01T00:59:10Z"), "it was in the way for 10 s alone");
    }
}
