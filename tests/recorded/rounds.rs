//! The number of rounds of requests in a diagnosis. Each takes a round trip, for which a user on a
//! slow link waits, so a rule asks for everything possible in one round.

use crate::scenario::Scenario;
use kubectl_unstick::diagnosis::{close, diagnose_survey};
use kubectl_unstick::survey::Survey;
use std::fmt::Write as _;

/// Diagnoses the targets of a survey from nothing, with the answers in the survey. Returns the
/// number of rounds, and how many of the answers were requested.
fn rounds(full: &Survey) -> (usize, usize) {
    let mut known = Survey::new(full.taken_at, full.discovery.clone());
    known.targets.clone_from(&full.targets);
    known.purpose.clone_from(&full.purpose);
    (known.logs, known.wrote) = (full.logs, full.wrote);
    let (mut rounds, mut requests) = (0, 0);
    loop {
        let wants = diagnose_survey(&known).wants;
        if wants.is_empty() {
            return (rounds, requests);
        }
        rounds += 1;
        for want in wants {
            if let Some(fact) = full.fact(&want) {
                requests += 1;
                known.record(want, fact.clone());
            } else {
                close(&mut known, [want].into());
            }
        }
    }
}

#[test]
fn a_diagnosis_takes_no_more_rounds_than_before() {
    let mut table = String::new();
    for scenario in Scenario::recorded() {
        let (rounds, requests) = rounds(&scenario.survey());
        writeln!(table, "{rounds:2} rounds, {requests:3} answers: {}", scenario.name).expect("a line");
    }
    insta::assert_snapshot!("rounds", table);
}
