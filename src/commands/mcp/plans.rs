//! The exact command with which a person approves the first remedy of one object. It comes from the
//! object's own diagnosis: the digest in a report about many objects differs.

use super::manual_commands;
use crate::cli::Cli;
use crate::commands::source::Live;
use crate::failure::Failure;
use crate::read::gather::Freshness;
use crate::report::{Ref, Remedy, Report};
use crate::screen::{clean, cost};

/// How many objects of one answer are diagnosed for their digests. The others have only the next call.
const DIAGNOSED: usize = 3;

/// The commands for the first of these objects, one for each; `None` if there is nothing to approve
/// or the object could not be read.
pub(super) async fn approvals(cli: &Cli, objects: &[&Ref]) -> Vec<Option<String>> {
    let mut approvals: Vec<Option<String>> = Vec::new();
    for (place, object) in objects.iter().take(DIAGNOSED).enumerate() {
        let known = objects[..place].iter().position(|other| other == object);
        let approval = match known {
            Some(known) => approvals[known].clone(),
            None => of_its_diagnosis(cli, object).await.ok().flatten(),
        };
        approvals.push(approval);
    }
    approvals
}

async fn of_its_diagnosis(cli: &Cli, object: &Ref) -> Result<Option<String>, Failure> {
    let mut cli = cli.clone();
    cli.connection.namespace.clone_from(&object.namespace);
    let name = object.kubectl();
    let (kind, name) = name.split_once('/').unwrap_or((&name, ""));
    let live = Live::connect(&cli, vec![(kind.to_owned(), name.to_owned())]).await?;
    let report = live.diagnose(Freshness::Cached).await?.report;
    Ok(approval(object, &report))
}

/// The command that approves the first remedy of a diagnosis of this object.
pub(super) fn approval(object: &Ref, report: &Report) -> Option<String> {
    let remedy = first(report)?;
    Some(format!(
        "{} ({}): {} --approve-plan {}",
        clean(&remedy.title),
        cost(remedy),
        manual_commands::about(object, report),
        remedy.digest
    ))
}

/// The first remedy with steps of the first root cause that has one.
fn first(report: &Report) -> Option<&Remedy> {
    let causes = report.root_causes();
    let ways = causes.iter().flat_map(|cause| report.ways_out_of(cause));
    ways.map(|(_, remedy)| remedy).find(|remedy| !remedy.digest.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::source::RecordedSurvey;
    use crate::survey::Purpose;

    #[test]
    fn the_command_has_the_digest_of_the_first_remedy_with_steps() {
        let demo = include_str!("../demo/survey.yaml");
        let named = [("ns".to_owned(), "shop".to_owned())];
        let mut report =
            RecordedSurvey::parse(demo, "demo").unwrap().report(&Purpose::Targets, &named, "default").unwrap();
        report.context = None;
        let object = report.targets[0].object.clone();
        let digest = report.remedies.iter().find(|remedy| !remedy.steps.is_empty()).unwrap().digest.clone();
        assert!(digest.starts_with("sha256:"));
        let said = approval(&object, &report).unwrap();
        assert!(said.ends_with(&format!(": kubectl unstick namespaces/shop --approve-plan {digest}")), "{said}");
        report.findings.clear();
        assert_eq!(approval(&object, &report), None, "nothing is to be approved");
    }
}
