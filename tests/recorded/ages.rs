//! A state that has not changed for long enough is stuck.

use crate::distributions::report;
use crate::scenario::Scenario;
use jiff::SignedDuration;
use kubectl_unstick::report::State;

/// Longer than any grace period, usual time or pass of a controller.
const LONG: SignedDuration = SignedDuration::from_hours(30);

/// The same survey, taken later: nothing in it has changed since.
#[test]
fn nothing_is_progressing_for_ever() {
    let mut wrong = Vec::new();
    for scenario in Scenario::recorded() {
        let mut survey = scenario.survey();
        survey.taken_at += LONG;
        let targets = report(survey).targets.into_iter();
        wrong.extend(
            targets.filter(|target| target.state == State::Progressing).map(|target| target.summary.to_string()),
        );
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
