//! How the steps of a plan are agreed to: by a person, by flags, or not at all.

use crate::cli::{Approval, DryRun, Options};
use crate::commands::out;
use crate::failure::Failure;
use crate::report::{Ref, Remedy, Report, Risk, State, Step};
use std::collections::HashMap;

/// How the steps of a plan are agreed to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consent {
    /// Ask for each.
    Ask,
    /// All up to this risk.
    UpTo(Risk),
    /// Those of the remedies whose digests were given.
    Exactly,
    /// None: the server's dry run of each is shown.
    Probe,
}

impl Consent {
    /// What the flags and the terminal come to; `None` where nothing may be done and
    /// nobody is there to be asked.
    pub fn of(options: &Options) -> Option<Self> {
        match options.dry_run {
            DryRun::Client => return None,
            DryRun::Server => return Some(Self::Probe),
            DryRun::None => {}
        }
        if !options.approve_plan.is_empty() {
            return Some(Self::Exactly);
        }
        match (options.approve, options.yes) {
            (Some(risk), _) => Some(Self::UpTo(risk.into())),
            (None, true) => Some(Self::UpTo(Risk::Harmless)),
            (None, false) => (out::can_ask() && options.output.is_screen()).then_some(Self::Ask),
        }
    }

    /// Whether steps of this remedy may be done at all.
    pub fn covers(self, remedy: &Remedy) -> bool {
        let has_steps = !remedy.steps.is_empty();
        match self {
            Self::Ask | Self::Probe | Self::Exactly => has_steps,
            Self::UpTo(risk) => has_steps && remedy.risk <= risk,
        }
    }

    /// Whether this step may be done: what must be named by hand is one of the targets,
    /// which were `typed`, or confirmed, by their names.
    pub fn covers_step(self, remedy: &Remedy, step: &Step, report: &Report, typed: bool) -> bool {
        let confirmed = self == Self::UpTo(Risk::LosesData);
        let named = |object: &Ref| (typed || confirmed) && report.targets.iter().any(|target| target.object == *object);
        !(remedy.by_name && matches!(self, Self::UpTo(_))) || named(&step.object)
    }
}

/// The steps of a remedy by what is agreed to together, in their order.
pub fn classes(remedy: &Remedy, one_by_one: bool) -> Vec<Vec<&Step>> {
    let mut classes: Vec<Vec<&Step>> = Vec::new();
    let mut place = HashMap::new();
    for step in remedy.steps_until_a_new_look() {
        match step.class().filter(|_| !one_by_one) {
            Some(class) => {
                let index = *place.entry(class).or_insert_with(|| {
                    classes.push(Vec::new());
                    classes.len() - 1
                });
                classes[index].push(step);
            }
            None => classes.push(vec![step]),
        }
    }
    classes
}

/// Flags that approve steps and do not go together.
///
/// # Errors
/// When there are some.
pub fn contradictions(options: &Options) -> Result<(), Failure> {
    let up_to_a_risk = options.yes || options.approve.is_some();
    let approves = up_to_a_risk || !options.approve_plan.is_empty();
    let loses_data = options.approve == Some(Approval::LosesData);
    let wrong = |what: &str, hint: &str| Err(Failure::unknown(what).hint(hint));
    if approves && options.dry_run != DryRun::None {
        return wrong("--yes and --approve do steps, and --dry-run does none", "leave one of them out");
    }
    if up_to_a_risk && !options.approve_plan.is_empty() {
        return wrong(
            "--approve-plan agrees to exact steps, and --yes and --approve to all up to a risk",
            "leave one of them out",
        );
    }
    if options.yes && options.approve.is_some_and(|risk| risk != Approval::Harmless) {
        return wrong(
            "--yes agrees to harmless steps alone, and --approve to more",
            "leave out --yes: --approve does the harmless steps, too",
        );
    }
    if options.one_by_one && (approves || options.dry_run != DryRun::None) {
        return wrong(
            "--one-by-one is about questions, and with --yes, --approve or --dry-run none is asked",
            "leave one of them out",
        );
    }
    if loses_data && options.confirm.is_empty() {
        return wrong(
            "--approve loses-data needs the names of the targets in --confirm as well",
            "name them: --approve loses-data --confirm NAME[,NAME]",
        );
    }
    if !loses_data && !options.confirm.is_empty() {
        return wrong(
            "--confirm goes with --approve loses-data, which was not given",
            "add --approve loses-data, or leave out --confirm",
        );
    }
    Ok(())
}

/// Whether `--confirm` names the targets, all of them and nothing else.
///
/// # Errors
/// When it does not: then nothing may be done.
pub fn confirmed(report: &Report, options: &Options) -> Result<(), Failure> {
    if options.approve != Some(Approval::LosesData) {
        return Ok(());
    }
    let there = report.targets.iter().filter(|target| target.state != State::Gone);
    let targets: Vec<&str> = there.map(|target| target.object.name.as_str()).collect();
    let missing = targets.iter().find(|name| !options.confirm.iter().any(|confirmed| confirmed == *name));
    let known = |name: &&String| report.targets.iter().any(|target| target.object.name == **name);
    let strange = options.confirm.iter().find(|name| !known(name));
    let text = match (missing, strange) {
        (None, None) => return Ok(()),
        (Some(name), _) => format!("--confirm does not name {name:?}: nothing was done"),
        (None, Some(name)) => format!("--confirm names {name:?}, which this is not about: nothing was done"),
    };
    Err(Failure::unknown(text)
        .hint(format!("what may lose data is confirmed by name: --confirm {}", targets.join(","))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Cli;
    use crate::diagnosis::diagnose;
    use crate::plan::steps::force_delete_pod;
    use crate::report::{Named, Target};
    use crate::survey::{Discovery, Survey};
    use clap::Parser;

    fn options(line: &str) -> Options {
        let words = std::iter::once("kubectl-unstick").chain(line.split_whitespace());
        Cli::parse_from(words).options
    }

    #[test]
    fn what_a_flag_has_chosen_is_not_named_by_hand() {
        let pod =
            Ref::from(Named { kind: "Pod".into(), resource: "pods".into(), name: "web".into(), ..Named::default() });
        let step = force_delete_pod::step(&pod);
        let remedy = Remedy::new(step.clone(), Risk::Disruptive, "").by_name();
        let survey = Survey::new("2026-01-01T00:00:00Z".parse().unwrap(), Discovery::default());
        let mut report = diagnose(&survey, &[]).report;
        report.targets.push(Target { object: pod, state: State::Stuck, since: None, summary: String::new() });
        let covers = |consent: Consent, typed| consent.covers_step(&remedy, &step, &report, typed);
        assert!(covers(Consent::UpTo(Risk::Leaks), true) && !covers(Consent::UpTo(Risk::Leaks), false));
        // Each name is in --confirm, or is typed as the answer.
        assert!(covers(Consent::UpTo(Risk::LosesData), false) && covers(Consent::Ask, false));
    }

    #[test]
    fn approvals_that_contradict_each_other_are_refused() {
        for (line, reason) in [
            ("ns a --yes --dry-run=server", "--dry-run does none"),
            ("ns a --yes --approve leaks", "leave out --yes"),
            ("ns a --approve-plan sha256:0 --approve leaks", "exact steps"),
            ("ns a --approve-plan sha256:0 --dry-run", "--dry-run does none"),
            ("ns a --one-by-one --yes", "none is asked"),
            ("ns a --one-by-one --dry-run", "none is asked"),
            ("ns a --approve loses-data", "--confirm NAME"),
            ("ns a --confirm a", "add --approve loses-data"),
            ("ns a --approve leaks --confirm a", "add --approve loses-data"),
        ] {
            let text = contradictions(&options(line)).unwrap_err().to_string();
            assert!(text.contains(reason), "{line}: {text}");
        }
        for line in ["ns a", "ns a --yes --approve harmless", "ns a --approve loses-data --confirm a,b --confirm c"] {
            assert!(contradictions(&options(line)).is_ok(), "{line}");
        }
        assert_eq!(options("ns a --approve loses-data --confirm a,b --confirm c").confirm, ["a", "b", "c"]);
    }
}
