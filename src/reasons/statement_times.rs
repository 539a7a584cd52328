//! Which statements may still hold.

use crate::facts::{All, Facts, Known, each, for_each, since};
use crate::kubernetes::admission::perhaps_overtaken;
use crate::kubernetes::definitions::versions;
use crate::kubernetes::past_obstacle::PastObstacle;
use crate::kubernetes::statements::statement::Statement;
use crate::kubernetes::{admission, aggregation};
use jiff::{SignedDuration, Timestamp};

/// Statements from before the controller came back, or from before their cause ended, separated from
/// the others.
pub(super) struct StatementTimes<'s> {
    /// Statements that may still hold.
    pub(super) present: Vec<Statement<'s>>,
    /// Statements that may no longer hold.
    pub(super) past: Vec<Statement<'s>>,
    /// The obstacle in the words of `past`, and when it ended.
    pub(super) mended: Option<PastObstacle>,
}

/// A controller that starts lists the objects that it works on and reconciles each; it retries failures
/// after some minutes at most.
const LOOKS_WITHIN: SignedDuration = SignedDuration::from_hours(2);

impl<'s> StatementTimes<'s> {
    /// Separates statements about a controller that has been running since `started`.
    pub(super) fn of(said: &[Statement<'s>], started: Option<Timestamp>, facts: &Facts<'s>) -> Known<Self> {
        let mut times = Self { present: Vec::new(), past: Vec::new(), mended: None };
        for_each(said, |said| {
            let back_for = started.map(|started| since(started, facts.now()));
            // The controller has reconciled everything since it came back, so the present status is
            // up to date.
            let stands = !said.is_event() && back_for.is_some_and(|back_for| back_for > LOOKS_WITHIN);
            let before = !stands && said.at.zip(started).is_some_and(|(at, started)| started > at);
            let mended = if said.trouble { no_longer(said, facts)? } else { None };
            if before || mended.is_some() {
                times.past.push(said.clone());
            } else {
                times.present.push(said.clone());
            }
            times.mended = times.mended.take().into_iter().chain(mended).max_by_key(|mended| mended.until);
            Ok(())
        })?;
        Ok(times)
    }

    /// Whether a present statement reports an obstacle that may have ended: what would show that could
    /// not be read.
    pub(super) fn may_be_mended(&self, facts: &Facts<'_>) -> Known<bool> {
        let troubles = self.present.iter().filter(|said| said.trouble);
        Ok(each(troubles, |said| perhaps_overtaken(&said.message, facts))?.contains(&true))
    }
}

/// The obstacle in a statement, if it has ended.
fn no_longer(said: &Statement<'_>, facts: &Facts<'_>) -> Known<Option<PastObstacle>> {
    let refused = admission::overtaken(&said.message, said.at, facts);
    let unconverted = versions::overtaken(&said.message, said.at, facts);
    let unavailable = aggregation::overtaken(&said.message, said.at, facts);
    let (refused, unconverted, unavailable) = (refused, unconverted, unavailable).all()?;
    Ok(refused.or(unconverted).or(unavailable))
}
