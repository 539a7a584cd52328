//! Finds the leader among several workloads with the same account. Their permissions and their
//! installer's marks are the same, and a name is too little to choose by. And the workload of a part of the control plane,
//! by its Lease.

use crate::facts::{Facts, Known, Readable, each};
use crate::kubernetes::finalizers::gaps::Gaps;
use crate::kubernetes::lease::{holding_pod, is_name_of_a_pod};
use crate::kubernetes::ownership::candidates::{Candidate, Ranking, candidate, workloads_in};
use crate::kubernetes::ownership::owner::is_called;
use crate::kubernetes::ownership::traces::Traces;
use crate::kubernetes::workloads::health;
use crate::survey::{Form, Seen};

/// The namespace of the parts of the control plane.
const SYSTEM: &str = "kube-system";

/// The workload of the part of the control plane that `traces` name: one of its pods held the Lease of that part, which
/// nobody has renewed for long. The other parts are no workloads that can be seen.
pub(crate) fn of_control_plane<'s>(
    traces: &Traces<'s>,
    facts: &Facts<'s>,
    gaps: &Gaps,
) -> Known<Option<Candidate<'s>>> {
    let part = traces.names.iter().find(|name| health::CONTROL_PLANE.contains(&name.word.as_str()));
    let (Some(part), Some(leases)) = (part, facts.preferred("coordination.k8s.io", "leases")) else { return Ok(None) };
    let lease = gaps.pass(facts.get(&leases.id, Some(SYSTEM), &part.word, Form::Whole))?.flatten();
    let lapsed = lease.and_then(|lease| Some((holding_pod(lease)?, health::has_lapsed(lease, facts)?)));
    let Some((pod, text)) = lapsed else { return Ok(None) };
    if !is_name_of_a_pod(pod) {
        return Ok(None);
    }
    let all = workloads_in(SYSTEM, facts, gaps)?;
    let its = all.into_iter().find(|seen| health::is_called_after(pod, seen.object));
    Ok(its.map(|seen| Candidate::by_log(seen, format!("{text}, and its pod {pod} held it"))))
}

impl<'s> Ranking<'s> {
    /// Puts the leader first: the only workload with a renewed lease among those that run as the
    /// first candidate's account. Changes nothing if no other workload runs as that account, or if
    /// the first candidate has the whole of a known name.
    pub(crate) fn put_leader_first(&mut self, traces: &Traces<'s>, facts: &Facts<'s>) -> Known {
        let Some(first) = self.best.first() else { return Ok(()) };
        let account = first.account();
        if traces.names.iter().any(|name| name.owner && is_called(first.seen.object, &name.word)) {
            return Ok(());
        }
        let by_name = self.ruled_out.iter().filter(|(_, out)| out.by_name || !out.sure).map(|(seen, _)| *seen);
        let all = self.best.iter().map(|candidate| candidate.seen).chain(by_name);
        let all: Vec<_> = all.map(|seen| candidate(seen, traces)).filter(|one| one.account() == account).collect();
        if all.len() < 2 {
            return Ok(());
        }
        let leads = |one: &Candidate<'s>| -> Known<bool> {
            let lease = health::lease(one.seen, &[], facts).if_readable()?.flatten();
            Ok(lease.is_some_and(|lease| lease.fresh))
        };
        let leaders = each(&all, leads)?;
        let mut leaders = all.into_iter().zip(leaders).filter_map(|(one, leads)| leads.then_some(one));
        if let (Some(mut leader), None) = (leaders.next(), leaders.next()) {
            let is_another = |seen: Seen<'_>| seen.object.uid() != leader.seen.object.uid();
            self.best.retain(|candidate| is_another(candidate.seen));
            self.ruled_out.retain(|(seen, _)| is_another(*seen));
            leader.why.push("it holds a lease, and no other workload of its account does".into());
            leader.ruled_out = None;
            self.best.insert(0, leader);
            self.tied = 1;
        }
        Ok(())
    }
}
