//! A line for each target; if there are very many, a line for each group that is alike.

use crate::facts::since;
use crate::report::{Named, Numbered, Ref, Report, State, TargetReport, number_of};
use crate::screen::age::age;
use crate::screen::layout::left_out;
use crate::screen::{clean, palette};
use indexmap::IndexMap;
use std::collections::HashMap;

/// Up to this many targets get a line each.
pub(crate) const MAX_ALONE: usize = 50;
/// How many lines are shown when there are more targets.
const MAX_LINES: usize = 12;
/// How many targets are named in the line of a group.
pub(crate) const MAX_NAMED: usize = 3;

/// The state of a target, or of several that are alike.
#[derive(Debug)]
pub(crate) struct Standing {
    /// `Namespace shop`.
    pub(crate) names: String,
    /// `terminating for 3d4h`; empty if it is not being deleted.
    pub(crate) age: String,
    /// `2 causes`.
    pub(crate) says: String,
    pub(crate) state: State,
}

/// The lines of all targets.
pub(crate) fn heads(report: &Report) -> String {
    let (all, rest) = standings(report);
    let line = |it: &Standing| {
        let parts = [&it.names, &it.age, &it.says];
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).map(clean).collect();
        palette::heading(&parts.join("   ")) + "\n"
    };
    all.iter().map(line).chain(left_out(rest, "targets").map(|rest| format!(" {rest}\n"))).collect()
}

/// The states of all targets, grouped if there are very many, and how many are left out.
pub(crate) fn standings(report: &Report) -> (Vec<Standing>, usize) {
    let causes = causes(report);
    if report.targets.len() <= MAX_ALONE {
        return (report.targets.iter().map(|target| standing_of(&[target], report, &causes)).collect(), 0);
    }
    let groups = alike(report, &causes);
    let shown: usize = groups.iter().take(MAX_LINES).map(Vec::len).sum();
    let lines = groups.iter().take(MAX_LINES).map(|group| standing_of(group, report, &causes)).collect();
    (lines, report.targets.len() - shown)
}

/// The state of each target, however many there are.
pub(crate) fn each(report: &Report) -> impl Iterator<Item = (&TargetReport, Standing)> {
    let causes = causes(report);
    report.targets.iter().map(move |target| (target, standing_of(&[target], report, &causes)))
}

/// The targets in groups of the same kind, the same state and the same number of causes.
pub(crate) fn alike<'r>(report: &'r Report, causes: &Causes<'r>) -> Vec<Vec<&'r TargetReport>> {
    let mut groups: IndexMap<_, Vec<&TargetReport>> = IndexMap::new();
    for target in &report.targets {
        let Named { api_version, kind, .. } = &*target.object;
        groups.entry((api_version, kind, target.state, standing(target, causes))).or_default().push(target);
    }
    groups.into_values().collect()
}

/// How many causes hold each target.
pub(crate) type Causes<'r> = HashMap<&'r Ref, usize>;

/// Counts the causes of each target.
pub(crate) fn causes(report: &Report) -> Causes<'_> {
    let mut causes: HashMap<&Ref, (usize, Option<usize>)> = HashMap::new();
    for Numbered { finding, number, .. } in report.numbered().into_iter().filter(|told| told.finding.is_root_cause()) {
        for target in &finding.blocks {
            let (count, last) = causes.entry(target).or_default();
            *count += usize::from(*last != number);
            *last = number;
        }
    }
    causes.into_iter().map(|(target, (count, _))| (target, count)).collect()
}

fn standing_of(group: &[&TargetReport], report: &Report, causes: &Causes<'_>) -> Standing {
    let ages = group.iter().filter_map(|target| target.since).map(|then| since(then, report.taken_at));
    let (youngest, oldest) = (ages.clone().min().map(age), ages.max().map(age));
    let age = match (youngest, oldest) {
        (Some(youngest), Some(oldest)) if youngest != oldest => format!("terminating for {youngest} to {oldest}"),
        (_, Some(age)) => format!("terminating for {age}"),
        _ => String::new(),
    };
    let state = group[0].state;
    let has_age = matches!(state, State::Stuck | State::Unknown | State::Progressing);
    let age = if has_age { age } else { String::new() };
    Standing { names: names(group), age, says: standing(group[0], causes), state }
}

/// `Namespace shop`, or `ConfigMap shop/a, shop/b, shop/c and 4997 more`.
fn names(group: &[&TargetReport]) -> String {
    let [first, ..] = group else { return String::new() };
    let names: Vec<String> = group.iter().take(MAX_NAMED).map(|target| of_kind(&target.object)).collect();
    match group.len() - names.len() {
        _ if group.len() == 1 => first.object.to_string(),
        0 => format!("{} {}", first.object.kind, names.join(", ")),
        more => format!("{} {} and {more} more", first.object.kind, names.join(", ")),
    }
}

/// `shop/web`, or the name alone.
pub(crate) fn of_kind(object: &Ref) -> String {
    object.namespace.as_ref().map_or_else(|| object.name.clone(), |namespace| format!("{namespace}/{}", object.name))
}

/// The state of a target without the time.
fn standing(target: &TargetReport, causes: &Causes<'_>) -> String {
    let about = causes.get(&target.object).copied().unwrap_or_default();
    let count = number_of(about, "cause");
    match (target.state, target.since) {
        (State::Stuck, Some(_)) => count,
        (State::Stuck, None) => target.summary.without_subject(&target.object).to_string(),
        (State::Unknown, _) => target.summary.to_string(),
        (State::Progressing, _) => "progressing: nothing is wrong so far".into(),
        (State::NotDeleting, _) => "not being deleted: nothing to unstick".into(),
        (State::Gone, _) => "does not exist".into(),
        (State::WouldHang, _) => format!("would get stuck   {count}"),
        (State::WouldGo, _) => format!("would be deleted: {}", target.summary),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnosis::diagnose_survey;

    use crate::survey::{Discovery, Survey};
    use jiff::{SignedDuration, Timestamp};

    fn report(targets: Vec<TargetReport>) -> Report {
        let now = Timestamp::UNIX_EPOCH + SignedDuration::from_hours(1);
        Report { targets, ..diagnose_survey(&Survey::new(now, Discovery::default())).report }
    }

    fn stuck(kind: &str, name: String, minutes: i64) -> TargetReport {
        let object = Ref::from(Named { kind: kind.into(), namespace: Some("shop".into()), name, ..Named::default() });
        let since = Timestamp::UNIX_EPOCH + SignedDuration::from_mins(minutes);
        TargetReport { object, state: State::Stuck, since: Some(since), summary: "".into() }
    }

    fn plain(report: &Report) -> String {
        palette::paint(&heads(report), false)
    }

    #[test]
    fn very_many_targets_are_counted_and_three_of_each_are_named() {
        let maps = (0..60).map(|number| stuck("ConfigMap", format!("m-{number}"), number));
        let pods = (0..2).map(|number| stuck("Pod", format!("p-{number}"), 58));
        let mut targets: Vec<TargetReport> = maps.chain(pods).collect();
        targets[7].state = State::Gone;
        assert_eq!(
            plain(&report(targets)),
            "ConfigMap shop/m-0, shop/m-1, shop/m-2 and 56 more   terminating for 60s to 1h0m   0 causes\n\
             ConfigMap shop/m-7   does not exist\n\
             Pod shop/p-0, shop/p-1   terminating for 2m   0 causes\n"
        );
    }

    #[test]
    fn a_few_targets_have_a_line_each_and_many_kinds_are_counted() {
        let few = (0..3).map(|number| stuck("Pod", format!("p-{number}"), 58)).collect();
        assert_eq!(plain(&report(few)).lines().nth(2), Some("Pod shop/p-2   terminating for 2m   0 causes"));
        let kinds = (0..60).map(|number| stuck(&format!("Kind{number}"), "x".into(), 0)).collect();
        let lines = plain(&report(kinds));
        assert_eq!(
            (lines.lines().count(), lines.lines().last()),
            (13, Some(" … and 48 more targets: -o json lists all of them"))
        );
    }
}
