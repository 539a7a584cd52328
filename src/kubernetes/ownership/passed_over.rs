//! Workloads that would be the controller of an object, but are configured to ignore it.

use crate::facts::{Facts, Known};
use crate::kubernetes::finalizers::gaps::Gaps;
use crate::kubernetes::namespaces::namespace_of;
use crate::kubernetes::ownership::candidates::Ranking;
use crate::kubernetes::ownership::owner::RuledOut;
use crate::kubernetes::ownership::scope;
use crate::survey::Object;

impl Ranking<'_> {
    /// Rules out workloads that ignore `held`, because of its labels, its class or the labels of its namespace.
    pub(crate) fn pass_over(&mut self, held: &Object, facts: &Facts<'_>, gaps: &Gaps) -> Known<()> {
        let asks_for_labels = self.best.iter().any(|candidate| scope::asks_for_labels(candidate.seen.object));
        let home = if asks_for_labels && held.metadata.namespace.is_some() {
            gaps.pass(namespace_of(held, facts))?.flatten()
        } else {
            None
        };
        let all = std::mem::take(&mut self.best).into_iter().enumerate();
        let mut tied = 0;
        for (place, candidate) in all {
            let workload = candidate.seen.object;
            let elsewhere = || home.and_then(|home| scope::without_its_labels(workload, home));
            if let Some(outside) = scope::passes_over(workload, held).or_else(elsewhere) {
                self.ruled_out.insert(0, (candidate.seen, RuledOut::told(outside, false)));
            } else {
                tied += usize::from(place < self.tied);
                self.best.push(candidate);
            }
        }
        self.tied = tied.max(1).min(self.best.len());
        Ok(())
    }
}
