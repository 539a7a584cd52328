//! How the steps of a plan are approved: by a person, by flags, or not at all.

use crate::cli::{DryRun, MaxRisk, Options};
use crate::commands::out;
use crate::failure::Failure;
use crate::plan::{By, quote};
use crate::report::{Ref, Remedy, Report, Risk, State, Step, TargetReport, and_more};
use crate::survey::Survey;
use std::collections::HashMap;

/// How many names a hint lists.
const MAX_LISTED: usize = 20;

/// How the steps of a plan are approved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consent {
    /// Ask about each step.
    Ask,
    /// Every step up to this risk is approved.
    UpTo(Risk),
    /// The steps of the remedies whose digests were given are approved.
    Exactly,
    /// Nothing is approved: show the result of the dry run of each step up to this risk.
    Probe(Risk),
}

impl Consent {
    /// The consent that the flags and the terminal imply. `None` if nothing may be done and nobody
    /// can be asked.
    pub fn of(options: &Options) -> Option<Self> {
        match options.dry_run {
            DryRun::Client => return None,
            DryRun::Server => return Some(Self::Probe(up_to(options).unwrap_or(Risk::LosesData))),
            DryRun::None => {}
        }
        if !options.approve_plan.is_empty() {
            return Some(Self::Exactly);
        }
        let can_ask = || (out::can_ask() && options.output.is_screen()).then_some(Self::Ask);
        up_to(options).map(Self::UpTo).or_else(can_ask)
    }

    /// Whether nothing is approved, and the server is asked what it would do.
    pub fn is_probe(self) -> bool {
        matches!(self, Self::Probe(_))
    }

    /// Whether steps of this remedy may be carried out at all.
    pub fn covers(self, remedy: &Remedy) -> bool {
        let is_too_risky = matches!(self, Self::UpTo(risk) | Self::Probe(risk) if remedy.level() > risk);
        !remedy.steps.is_empty() && !is_too_risky
    }

    /// Whether this step may be carried out. If the remedy requires a name, the step's object must
    /// be a target whose name was `typed` or confirmed.
    pub fn covers_step(self, remedy: &Remedy, step: &Step, report: &Report, typed: bool) -> bool {
        let confirmed = self == Self::UpTo(Risk::LosesData);
        let named = |object: &Ref| (typed || confirmed) && report.targets.iter().any(|target| target.object == *object);
        !(remedy.by_name && matches!(self, Self::UpTo(_))) || named(&step.object)
    }

    /// The source of the approval.
    pub fn by(self) -> By {
        match self {
            Self::Ask | Self::Probe(_) => By::Person,
            Self::UpTo(risk) => By::Rule(risk),
            Self::Exactly => By::Digest,
        }
    }
}

/// The risk up to which flags approve.
fn up_to(options: &Options) -> Option<Risk> {
    options.approve.map(Risk::from).or(options.yes.then_some(Risk::Harmless))
}

/// The steps of a remedy in classes that are approved together, in their order.
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

/// Refuses contradictory flags that approve steps.
///
/// # Errors
/// When two flags contradict each other.
pub fn contradictions(options: &Options) -> Result<(), Failure> {
    let up_to_a_risk = options.approves_by_risk();
    let approves = up_to_a_risk || !options.approve_plan.is_empty();
    let loses_data = options.approve == Some(MaxRisk::LosesData);
    let wrong = |what: &str, hint: &str| Err(Failure::unknown(what).hint(hint));
    if !options.approve_plan.is_empty() && options.dry_run != DryRun::None {
        return Err(Failure::contradiction("--approve-plan cannot be used with --dry-run"));
    }
    if up_to_a_risk && !options.approve_plan.is_empty() {
        return Err(Failure::contradiction(
            "--approve-plan cannot be used with --yes or --approve: it approves exact steps, they approve all steps up \
            to a risk",
        ));
    }
    if options.yes && options.approve.is_some_and(|risk| risk != MaxRisk::Harmless) {
        return wrong(
            "--yes and --approve cannot be used together",
            "leave out --yes: --approve includes the harmless steps",
        );
    }
    if options.one_by_one && (approves || options.dry_run != DryRun::None) {
        return Err(Failure::contradiction(
            "--one-by-one cannot be used with --yes, --approve or --dry-run, which ask no questions",
        ));
    }
    if loses_data && options.confirm.is_empty() {
        return wrong(
            "--approve loses-data also needs --confirm with the names of the targets",
            "name them: --approve loses-data --confirm NAME[,NAME]",
        );
    }
    if !loses_data && !options.confirm.is_empty() {
        return wrong("--confirm needs --approve loses-data", "add --approve loses-data, or leave out --confirm");
    }
    Ok(())
}

/// Checks that `--confirm` names everything that the user named, and nothing else: the objects, the
/// products, and the definitions that are deleted although they have objects.
///
/// # Errors
/// When it does not; then nothing may be done.
pub fn confirmed(report: &Report, survey: &Survey, options: &Options) -> Result<(), Failure> {
    if options.approve != Some(MaxRisk::LosesData) {
        return Ok(());
    }
    let products = survey.purpose.named_products();
    let is_chosen = |target: &&TargetReport| products.is_empty() || survey.targets.contains(&target.object.target());
    let chosen: Vec<&TargetReport> = report.targets.iter().filter(is_chosen).collect();
    let all: Vec<&Ref> = chosen.iter().map(|target| &target.object).collect();
    let there: Vec<&Ref> =
        chosen.iter().filter(|target| target.state != State::Gone).map(|target| &target.object).collect();
    let names: Vec<&String> = products.iter().map(|product| &product.name).chain(definitions_in_use(report)).collect();
    // When the same command was run before, the word may have named a definition that still
    // existed, or still had objects.
    let was_kind = |word: &str| !products.is_empty() && word.contains('.');
    let is_taken = |word: &str| names.iter().any(|name| *name == word);
    let nothing = "nothing was done";
    let say = |text: String, of: &[&Ref]| {
        let shown = of.iter().take(MAX_LISTED).map(|object| shortest_name(object, &all, &is_taken));
        let needed: Vec<String> = names.iter().map(|name| (*name).clone()).chain(shown).take(MAX_LISTED).collect();
        let more = and_more(names.len() + of.len() - needed.len());
        let needed = quote(&needed.join(","));
        Err(Failure::unknown(text).hint(format!("steps that may lose data need the name: --confirm {needed}{more}")))
    };
    if names_steps_alone(report, &names, &options.confirm) {
        return Ok(());
    }
    let mut missing = there.clone();
    for word in &options.confirm {
        let fitting: Vec<&Ref> = all.iter().copied().filter(|object| fits(word, object)).collect();
        match fitting[..] {
            // The word confirms the product or the definition, and no object of the same name.
            _ if is_taken(word) => {}
            [] if was_kind(word) => {}
            [] if products.is_empty() => {
                return say(format!("--confirm names {word:?}, which is not a target: {nothing}"), &there);
            }
            [] => {
                let text = format!(
                    "--confirm names {word:?}, which is neither a target, nor a product, nor a kind of a \
                        product: {nothing}"
                );
                return say(text, &there);
            }
            [one] => missing.retain(|object| *object != one),
            _ => return say(format!("--confirm {word:?} matches {} objects: {nothing}", fitting.len()), &fitting),
        }
    }
    let unnamed = names.iter().find(|name| !options.confirm.contains(name)).map(|name| (*name).clone());
    match unnamed.or_else(|| missing.first().map(|object| shortest_name(object, &all, &is_taken))) {
        None => Ok(()),
        Some(name) => say(format!("--confirm does not name {name:?}: {nothing}"), &there),
    }
}

/// Whether `--confirm` names what the steps that lose data change, as a person types it, and no target. Then only
/// these steps are confirmed.
fn names_steps_alone(report: &Report, products: &[&String], words: &[String]) -> bool {
    let is_target =
        |word: &String| products.contains(&word) || report.targets.iter().any(|target| fits(word, &target.object));
    let losing = || report.remedies.iter().filter(|remedy| remedy.level() == Risk::LosesData);
    let is_of_a_step = |word: &String| losing().flat_map(|remedy| &remedy.steps).any(|step| fits(word, &step.object));
    !words.is_empty() && words.iter().all(|word| !is_target(word) && is_of_a_step(word))
}

/// The words of `--confirm`, if these name what steps change instead of the targets.
pub fn steps_named_alone(report: &Report, options: &Options) -> Option<Vec<String>> {
    names_steps_alone(report, &[], &options.confirm).then(|| options.confirm.clone())
}

/// Whether the words name what all steps of a remedy change, or no data is lost by it.
pub fn is_named(words: &[String], remedy: &Remedy) -> bool {
    let named = |step: &Step| words.iter().any(|word| fits(word, &step.object));
    remedy.level() < Risk::LosesData || remedy.steps.iter().all(named)
}

/// The definitions that would be deleted although their kinds have objects, or may have some.
fn definitions_in_use(report: &Report) -> impl Iterator<Item = &String> {
    report.definitions_lost_with(report.targets.iter().map(|target| &target.object.uid))
}

/// A definition that has objects now and was not confirmed.
pub fn unconfirmed_definition<'r>(report: &'r Report, options: &Options) -> Option<&'r String> {
    definitions_in_use(report).find(|name| !options.confirm.contains(name))
}

/// The names of an object, the shortest first: `web`, `shop/web`, `pods/web`, `pods/shop/web`.
fn names(object: &Ref) -> Vec<String> {
    let (kind, name) = (object.target().resource.short(), &object.name);
    match &object.namespace {
        None => vec![name.clone(), format!("{kind}/{name}")],
        Some(place) => {
            vec![name.clone(), format!("{place}/{name}"), format!("{kind}/{name}"), format!("{kind}/{place}/{name}")]
        }
    }
}

fn fits(word: &str, object: &Ref) -> bool {
    names(object).iter().any(|name| name == word)
}

/// The shortest name of an object that is not taken and that fits no other object in `all`.
fn shortest_name(object: &Ref, all: &[&Ref], is_taken: &dyn Fn(&str) -> bool) -> String {
    let mut names = names(object);
    let is_clear = |name: &String| !is_taken(name) && all.iter().filter(|other| fits(name, other)).count() == 1;
    let place = names.iter().position(is_clear).unwrap_or(names.len() - 1);
    names.swap_remove(place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Cli;
    use crate::diagnosis::diagnose;
    use crate::plan::steps::force_delete_pod;
    use crate::report::{InstalledKind, InstalledProduct, Named, Removable};
    use crate::survey::{Cascade, Discovery, ProductName, Purpose};
    use clap::Parser;

    fn options(line: &str) -> Options {
        let words = std::iter::once("kubectl-unstick").chain(line.split_whitespace());
        Cli::parse_from(words).options
    }

    #[test]
    fn the_same_confirmation_fits_when_a_deletion_continues() {
        let mut survey = Survey::new("2026-01-01T00:00:00Z".parse().unwrap(), Discovery::default());
        let mut report = diagnose(&survey, &[]).report;
        let asked = ProductName { installer: "helm".into(), name: "op".into(), ..ProductName::default() };
        survey.purpose = Purpose::Preflight { cascade: Cascade::default(), products: vec![asked] };
        let widgets = InstalledKind::tested("widgets.acme.io", Some(0));
        report.products.push(InstalledProduct { removable: Removable::Yes, ..InstalledProduct::tested(vec![widgets]) });
        let is_taken = |names: &str| {
            let options = options(&format!("helm/op --delete --approve loses-data --confirm {names}"));
            confirmed(&report, &survey, &options).is_ok()
        };
        assert!(is_taken("op,widgets.acme.io"), "it had objects when the deletion began");
        assert!(is_taken("op") && !is_taken("widgets.acme.io") && !is_taken("op,gears"));
        assert!(is_taken("op,gears.acme.io"), "it may be gone by now");
    }

    #[test]
    fn one_word_confirms_one_thing() {
        let mut survey = Survey::new("2026-01-01T00:00:00Z".parse().unwrap(), Discovery::default());
        let mut report = diagnose(&survey, &[]).report;
        let asked = ProductName { installer: "helm".into(), name: "shop".into(), ..ProductName::default() };
        survey.purpose = Purpose::Preflight { cascade: Cascade::default(), products: vec![asked] };
        let named = Named { resource: "namespaces".into(), name: "shop".into(), uid: "u1".into(), ..Named::default() };
        let object = Ref::from(named);
        survey.targets.push(object.target());
        report.targets.push(TargetReport { object, state: State::WouldGo, since: None, summary: "".into() });
        let confirm = |names: &str| {
            let line = format!("helm/shop ns/shop --delete --approve loses-data --confirm {names}");
            confirmed(&report, &survey, &options(&line)).map_err(|failure| failure.to_string())
        };
        let refused = confirm("shop").unwrap_err();
        assert!(refused.contains("does not name \"namespaces/shop\""), "{refused}");
        assert!(refused.contains("--confirm shop,namespaces/shop"), "{refused}");
        assert!(confirm("shop,namespaces/shop").is_ok() && confirm("namespaces/shop").is_err());
    }

    #[test]
    fn objects_selected_by_a_flag_are_not_named_by_hand() {
        let pod =
            Ref::from(Named { kind: "Pod".into(), resource: "pods".into(), name: "web".into(), ..Named::default() });
        let step = force_delete_pod::step(&pod);
        let remedy = Remedy::new(step.clone(), Risk::Disruptive, "").by_name();
        let survey = Survey::new("2026-01-01T00:00:00Z".parse().unwrap(), Discovery::default());
        let mut report = diagnose(&survey, &[]).report;
        report.targets.push(TargetReport { object: pod, state: State::Stuck, since: None, summary: "".into() });
        let covers = |consent: Consent, typed| consent.covers_step(&remedy, &step, &report, typed);
        assert!(covers(Consent::UpTo(Risk::Leaks), true) && !covers(Consent::UpTo(Risk::Leaks), false));
        // Each name is in `--confirm`, or the user types it as the answer.
        assert!(covers(Consent::UpTo(Risk::LosesData), false) && covers(Consent::Ask, false));
    }

    #[test]
    fn a_name_that_fits_several_targets_confirms_none() {
        let survey = Survey::new("2026-01-01T00:00:00Z".parse().unwrap(), Discovery::default());
        let mut report = diagnose(&survey, &[]).report;
        for (resource, namespace, name) in
            [("pods", "a1", "web"), ("pods", "b1", "web"), ("services", "b1", "web"), ("pods", "b1", "db")]
        {
            let object = Named {
                api_version: "v1".into(),
                resource: resource.into(),
                namespace: Some(namespace.into()),
                name: name.into(),
                uid: format!("{resource}-{namespace}-{name}"),
                ..Named::default()
            };
            let target = TargetReport { object: object.into(), state: State::Stuck, since: None, summary: "".into() };
            report.targets.push(target);
        }
        let confirm = |names: &str| {
            confirmed(&report, &survey, &options(&format!("pods --approve loses-data --confirm {names}")))
        };
        let error = confirm("web,db").unwrap_err();
        let text = error.to_string();
        assert!(text.starts_with("--confirm \"web\" matches 3 objects: nothing was done"), "{text}");
        assert!(text.ends_with("--confirm a1/web,pods/b1/web,services/web"), "{text}");
        for ambiguous in ["b1/web", "pods/web"] {
            let names = format!("{ambiguous},a1/web,pods/b1/web,services/b1/web,db");
            assert!(confirm(&names).unwrap_err().to_string().contains("matches 2 objects"), "{ambiguous}");
        }
        let error = confirm("a1/web,services/web,db").unwrap_err();
        assert!(error.to_string().starts_with("--confirm does not name \"pods/b1/web\": nothing was done"));
        assert!(confirm("a1/web,pods/b1/web,services/web,db").is_ok());
        assert!(confirm("a1/web,pods/b1/web,services/web,db,cache").is_err());
    }

    #[test]
    fn approvals_that_contradict_each_other_are_refused() {
        for (line, reason) in [
            ("ns a --yes --approve leaks", "leave out --yes"),
            ("ns a --approve-plan sha256:0 --approve leaks", "exact steps"),
            ("ns a --approve-plan sha256:0 --dry-run", "cannot be used with --dry-run"),
            ("ns a --one-by-one --yes", "which ask no questions"),
            ("ns a --one-by-one --dry-run", "which ask no questions"),
            ("ns a --approve loses-data", "--confirm NAME"),
            ("ns a --confirm a", "add --approve loses-data"),
            ("ns a --approve leaks --confirm a", "add --approve loses-data"),
        ] {
            let text = contradictions(&options(line)).unwrap_err().to_string();
            assert!(text.contains(reason), "{line}: {text}");
        }
        for line in [
            "ns a",
            "ns a --yes --approve harmless",
            "ns a --yes --dry-run=server",
            "ns a --approve loses-data --confirm a,b --confirm c",
        ] {
            assert!(contradictions(&options(line)).is_ok(), "{line}");
        }
        assert_eq!(options("ns a --approve loses-data --confirm a,b --confirm c").confirm, ["a", "b", "c"]);
    }
}
