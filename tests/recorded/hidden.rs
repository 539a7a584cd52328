//! A user who may not read everything gets a less complete answer, but no wrong one.

use crate::diet;
use crate::distributions::report;
use crate::preflights::recorded;
use crate::scenario::Scenario;
use kubectl_unstick::report::State;
use kubectl_unstick::survey::{Fact, Reason, ResourceId, Survey, TargetName, Unread, Want};
use serde_json::json;
use std::collections::BTreeSet;

/// A survey by a user who may not read some of its facts.
pub fn hidden(survey: Survey, is_hidden: impl Fn(&Want) -> bool) -> Survey {
    unread(survey, Reason::Forbidden, is_hidden)
}

/// A survey with some facts unread.
fn unread(mut survey: Survey, reason: Reason, is_hidden: impl Fn(&Want) -> bool) -> Survey {
    let wants = || survey.facts_unsorted().map(|(want, _)| want);
    // Without knowing which APIs are aggregated, the program sends no dry run.
    let is_blind = wants().any(|want| want.resource.plural == "apiservices" && want.name.is_none() && is_hidden(want));
    let is_untried = |want: &&Want| is_blind && want.probe.is_some();
    let wants: Vec<Want> = wants().filter(|want| is_hidden(want) || is_untried(want)).cloned().collect();
    for want in wants {
        survey.record(want, Fact::Unread(Unread { reason, message: String::new() }));
    }
    survey
}

/// The kinds that a survey asked for.
fn kinds(survey: &Survey) -> BTreeSet<ResourceId> {
    survey.facts_unsorted().map(|(want, _)| want.resource.clone()).collect()
}

/// Wrong claims that such a survey leads to.
fn wrong_claims(scenario: &Scenario, survey: Survey, without: &str) -> Vec<String> {
    let wrong = scenario.wrong_claims(&json!(report(survey))).into_iter();
    wrong.map(|claim| format!("{} without {without}: {claim}", scenario.name)).collect()
}

/// Tries a missing right, and a missing answer.
#[test]
fn without_one_kind_nothing_wrong_is_proven() {
    let mut wrong = Vec::new();
    for scenario in Scenario::recorded() {
        let survey = scenario.survey();
        for kind in kinds(&survey) {
            for reason in [Reason::Forbidden, Reason::TimedOut] {
                let survey = unread(survey.clone(), reason, |want| want.resource == kind);
                wrong.extend(wrong_claims(&scenario, survey, &format!("{}: {reason:?}", kind.short())));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn with_the_rights_in_one_namespace_nothing_wrong_is_proven() {
    let mut wrong = Vec::new();
    for scenario in Scenario::recorded() {
        let survey = scenario.survey();
        let homes: BTreeSet<String> = survey.targets.iter().filter_map(home).collect();
        for home in homes {
            let is_elsewhere = |want: &Want| want.namespace.as_deref() != Some(&home) && !is_itself(want, &home);
            wrong.extend(wrong_claims(&scenario, hidden(survey.clone(), is_elsewhere), "what is elsewhere"));
            let is_beyond_view =
                |want: &Want| is_elsewhere(want) || NOT_TO_VIEW.contains(&want.resource.plural.as_str());
            wrong.extend(wrong_claims(&scenario, hidden(survey.clone(), is_beyond_view), "what `view` leaves out"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Kinds that the role `view` may not read.
const NOT_TO_VIEW: [&str; 3] = ["secrets", "roles", "rolebindings"];

fn home(target: &TargetName) -> Option<String> {
    let is_namespace = target.resource.group.is_empty() && target.resource.plural == "namespaces";
    if is_namespace { Some(target.name.clone()) } else { target.namespace.clone() }
}

/// Whether a want is for the namespace itself, which a role in it allows to get.
fn is_itself(want: &Want, namespace: &str) -> bool {
    want.resource.plural == "namespaces" && want.name.as_deref() == Some(namespace)
}

/// Hides objects that every namespace contains: that they are unread is no sign that its controller
/// works. And while there may be pods, nothing else was tried.
#[test]
fn hidden_facts_are_not_taken_for_gone() {
    for (name, kind, is_stuck) in [
        ("content-remains", "configmaps", true),
        ("content-remains", "serviceaccounts", true),
        ("controller-manager-down", "configmaps", true),
        ("deletion-in-progress--pods", "pods", false),
    ] {
        let survey = Scenario::named(name).survey();
        let report = report(hidden(survey, |want| want.resource.short() == kind));
        let state = report.targets[0].state;
        assert_eq!(state == State::Stuck, is_stuck, "{name} without {kind}: {state:?}");
    }
}

#[test]
fn hidden_kinds_never_turn_a_forecast_into_would_go() {
    let mut wrong = Vec::new();
    for path in recorded() {
        let survey = diet::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let would_go = |survey| {
            let targets = report(survey).targets.into_iter();
            targets.map(|target| target.state == State::WouldGo).collect::<Vec<_>>()
        };
        let all = would_go(survey.clone());
        for kind in kinds(&survey) {
            let less = would_go(hidden(survey.clone(), |want| want.resource == kind));
            if less.iter().zip(&all).any(|(less, all)| *less && !all) {
                wrong.push(format!("{} without {}", path.display(), kind.short()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
