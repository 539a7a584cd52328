//! `products`: the installed products, their installers, and whether they could be removed now.

use super::source::{Live, recorded};
use super::{diagnose, out, outside, unfinished};
use crate::cli::Cli;
use crate::failure::{Exit, Failure};
use crate::plugin::COMMAND;
use crate::read::gather::Freshness;
use crate::report::{Note, Report};
use crate::screen;
use crate::survey::Purpose;

/// Lists the products; changes nothing.
///
/// # Errors
/// When flags contradict each other, or the cluster cannot be reached.
pub async fn run(cli: &Cli) -> Result<Exit, Failure> {
    diagnose::contradictions(&cli.options)?;
    if cli.options.approves_by_risk() {
        return Err(Failure::unknown("products changes nothing: there is nothing to approve")
            .hint("to remove one")
            .command(format!("{COMMAND} INSTALLER/NAME --delete")));
    }
    let asked = Purpose::Products(cli.connection.namespace.clone());
    let report = if let Some(recorded) = recorded(cli, &[], &asked).await? {
        recorded.report
    } else {
        let live = unfinished::reported(Live::connect_for(cli, asked)).await?;
        let report = live.diagnose(Freshness::Cached).await?.report;
        if let (true, Some(namespace)) = (report.products.is_empty(), &cli.connection.namespace) {
            outside::must_exist(&live, namespace).await?;
        }
        report
    };
    if cli.options.output.is_screen() {
        out::screen(&screen::products_table(&report, out::look(&cli.options)));
    } else {
        out::report(&report, &cli.options);
    }
    Ok(if report.unread.iter().any(|note| matters(note, &report)) { Exit::Unknown } else { Exit::Fine })
}

/// Whether something unread may belong to a product. An API that does not answer, which is named
/// `GROUP/VERSION`, matters only to the products with kinds in its group.
fn matters(note: &Note, report: &Report) -> bool {
    let Some((group, _)) = note.what.split_once('/') else { return true };
    let mut kinds = report.products.iter().flat_map(|product| &product.kinds);
    kinds.any(|kind| kind.resource.split_once('.').is_some_and(|(_, of)| of == group))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnosis::diagnose_survey;
    use crate::report::{InstalledKind, InstalledProduct};
    use crate::survey::{Discovery, Survey};
    use jiff::Timestamp;

    fn product(resource: &str) -> InstalledProduct {
        InstalledProduct::tested(vec![InstalledKind::tested(resource, None)])
    }

    #[test]
    fn an_api_that_does_not_answer_matters_to_products_of_its_group() {
        let survey = Survey::new(Timestamp::UNIX_EPOCH, Discovery::default());
        let report = Report { products: vec![product("widgets.acme.io")], ..diagnose_survey(&survey).report };
        let note = |what: &str| Note::about(what, "its discovery is stale");
        assert!(!matters(&note("metrics.k8s.io/v1beta1"), &report));
        assert!(matters(&note("acme.io/v1"), &report), "its objects cannot be counted");
        assert!(matters(&note("secrets"), &report), "a list that failed may hide members");
    }
}
