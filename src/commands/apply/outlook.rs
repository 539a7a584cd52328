//! The lines before the first question: what stays behind outside the cluster, and which steps the
//! server would refuse for lack of permission.

use super::consent::classes;
use super::steps::Plan;
use crate::commands::out;
use crate::report::{Outside, Report, Step};
use crate::screen::Talk;
use crate::write::rights;
use std::collections::BTreeSet;

/// For how many classes of steps permissions are checked.
const MAX_TRIED: usize = 24;
/// How many things outside the cluster are listed.
const MAX_LISTED: usize = 30;

impl Plan<'_> {
    /// Prints these lines, and removes the steps without permission from the plan.
    pub(super) async fn look_ahead(&mut self, report: &Report) {
        say_what_is_outside(report);
        let remedies = report.remedies.iter().filter(|remedy| self.consent.covers(remedy));
        let classes: Vec<Vec<&Step>> = remedies.flat_map(|remedy| classes(remedy, false)).take(MAX_TRIED).collect();
        let firsts = classes.iter().map(|class| class[0].clone()).collect();
        let missing = rights::missing(&self.live.connected.api, firsts).await;
        for (class, missing) in classes.iter().zip(missing) {
            let Some(missing) = missing else { continue };
            let why = format!("not offered, because a permission is missing: {}", class[0].title());
            out::talk(Talk::from(why).and(format!("  {missing}")));
            self.ledger.bad = true;
            self.ledger.see(class.iter().copied());
        }
    }
}

/// Lists the things outside the cluster that harsh steps would leave behind.
fn say_what_is_outside(report: &Report) {
    let harsh = |id: &String| report.remedies.iter().any(|remedy| remedy.id == *id && remedy.risk.is_harsh());
    let findings = report.findings.iter().filter(|finding| finding.remedies.iter().any(harsh));
    let outside = findings.flat_map(|finding| &finding.outside);
    let named: BTreeSet<String> = outside.map(|Outside { what, object }| format!("{what}  ({object})")).collect();
    if named.is_empty() {
        return;
    }
    let heading = "Write this down: it stays outside the cluster if the finalizer is removed by force:";
    out::talk(Talk::apart().and(heading));
    let lines = named.iter().map(|what| format!("  · {what}"));
    out::talk_of_some(lines, MAX_LISTED, |more| format!("  … and {more} more"));
}
