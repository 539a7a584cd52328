//! The commands for a person to run, since this server changes no cluster.

use crate::cli::Cli;
use crate::plan::quote;
use crate::plugin::COMMAND;
use crate::report::{Ref, Report};

/// How many targets are named if the call named none.
const MAX_NAMED: usize = 5;

/// The command line about one object of a report.
pub(super) fn about(object: &Ref, report: &Report) -> String {
    let place = object.namespace.as_ref().map(|namespace| format!(" -n {}", quote(namespace))).unwrap_or_default();
    let context = report.context.as_ref().map(|context| format!(" --context {}", quote(context))).unwrap_or_default();
    format!("{COMMAND} {}{place}{context}", quote(&object.kubectl()))
}

/// The command line about a report's targets: `kubectl unstick ns shop --context staging`. A report
/// from a survey file has no such command: the cluster may be long gone.
pub(super) fn command(cli: &Cli, report: &Report) -> Option<String> {
    if cli.options.from.is_some() {
        return None;
    }
    let mut words = vec![COMMAND.to_string()];
    let targets = || report.targets.iter().map(|target| &target.object);
    let place = targets().find_map(|object| object.namespace.clone());
    let is_one_place = targets().all(|object| object.namespace == place);
    let is_named = !cli.selection.all_namespaces && cli.selection.selector.is_none() && cli.words.len() > 1
        || cli.words.iter().any(|word| word.contains('/'));
    let names_them = !is_named && is_one_place && (1..=MAX_NAMED).contains(&report.targets.len());
    if names_them {
        words.extend(targets().map(|object| quote(&object.kubectl())));
    } else {
        words.extend(cli.words.iter().map(|word| quote(word)));
    }
    if cli.selection.all_namespaces && !names_them {
        words.push("-A".into());
    } else if let Some(namespace) = place.or_else(|| cli.connection.namespace.clone()) {
        words.extend(["-n".into(), quote(&namespace)]);
    }
    if let Some(selector) = cli.selection.selector.as_ref().filter(|_| !names_them) {
        words.extend(["-l".into(), quote(selector)]);
    }
    if let Some(context) = &report.context {
        words.extend(["--context".into(), quote(context)]);
    }
    Some(words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::source::RecordedSurvey;
    use crate::report::Named;
    use crate::survey::Purpose;
    use clap::Parser;

    fn said(line: &str, targets: &[(&str, Option<&str>, &str)]) -> Option<String> {
        let demo = include_str!("../demo/survey.yaml");
        let named = [("ns".to_owned(), "shop".to_owned())];
        let mut report =
            RecordedSurvey::parse(demo, "demo").unwrap().report(&Purpose::Targets, &named, "default").unwrap();
        report.context = Some("prod".into());
        let first = report.targets[0].clone();
        let target = |(plural, namespace, name): &(&str, Option<&str>, &str)| {
            let (namespace, name) = (namespace.map(str::to_owned), (*name).to_owned());
            let named = Named { resource: (*plural).to_owned(), namespace, name, ..Named::default() };
            crate::report::TargetReport { object: named.into(), ..first.clone() }
        };
        report.targets = targets.iter().map(target).collect();
        command(&Cli::parse_from(std::iter::once("x").chain(line.split_whitespace())), &report)
    }

    #[test]
    fn the_command_names_the_diagnosed_objects() {
        let web = [("pods", Some("shop"), "web")];
        let both = [("pods", Some("shop"), "web"), ("pods", Some("cart"), "web")];
        let all = |command: &str| Some(format!("kubectl unstick {command} --context prod"));
        assert_eq!(said("pod web", &web), all("pod web -n shop"));
        assert_eq!(said("ns shop", &[("namespaces", None, "shop")]), all("ns shop"));
        assert_eq!(said("", &[("namespaces", None, "shop")]), all("namespaces/shop"));
        assert_eq!(said("pods -A -l a=b", &web), all("pods/web -n shop"));
        assert_eq!(said("pods -A -l a=b", &both), all("pods -A -l a=b"));
        assert_eq!(said("pods -A", &[web[0]; 6]), all("pods -A"));
        assert_eq!(said("ns shop --from survey", &web), None);
    }
}
