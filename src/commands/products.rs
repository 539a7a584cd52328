//! `products`: the installed products, their installers, and whether they could be removed now.

use super::source::{Live, RecordedSurvey};
use super::{diagnose, out, outside, unfinished};
use crate::cli::Cli;
use crate::failure::{Exit, Failure};
use crate::plugin::COMMAND;
use crate::read::gather::Freshness;
use crate::screen;

/// Lists the products; changes nothing.
///
/// # Errors
/// When flags contradict each other, or the cluster cannot be reached.
pub async fn run(cli: &Cli) -> Result<Exit, Failure> {
    diagnose::contradictions(&cli.options)?;
    if cli.options.approves_by_risk() {
        return Err(Failure::unknown("products changes nothing: there is nothing to approve")
            .hint(format!("to remove one: {COMMAND} INSTALLER/NAME --delete")));
    }
    let report = if let Some(path) = &cli.options.from {
        RecordedSurvey::open(path).await?.products()?
    } else {
        let live = unfinished::reported(Live::connect_for_products(cli)).await?;
        let report = live.diagnose(Freshness::Cached).await?.report;
        if let (true, Some(namespace)) = (report.products.is_empty(), &cli.connection.namespace) {
            outside::must_exist(&live, namespace).await?;
        }
        report
    };
    if cli.options.output.is_screen() {
        out::screen(&screen::products_table(&report));
    } else {
        out::report(&report, &cli.options);
    }
    Ok(if report.unread.is_empty() { Exit::Fine } else { Exit::Unknown })
}
