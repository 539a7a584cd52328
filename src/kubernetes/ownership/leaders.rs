//! Which of several workloads that run as one account leads: their rights and their installer's marks
//! are the same, and a name is too little to choose by.

use crate::facts::{Facts, Known, Readable};
use crate::kubernetes::ownership::candidates::Candidate;
use crate::kubernetes::ownership::owner::is_called;
use crate::kubernetes::ownership::traces::Traces;
use crate::kubernetes::workloads::health;

/// Puts the workload that leads before the others, where a name is all that they are told apart by.
pub(crate) fn put_first<'s>(
    candidates: &mut Vec<Candidate<'s>>,
    ruled_out: &mut Vec<Candidate<'s>>,
    traces: &Traces<'s>,
    facts: &Facts<'s>,
) -> Known {
    let Some(leader) = find(candidates, ruled_out, traces, facts)? else { return Ok(()) };
    let score = candidates[0].score + 1;
    let mut leader = match leader {
        Leader::Candidate(place) => candidates.remove(place),
        Leader::RuledOut(place) => ruled_out.remove(place),
    };
    leader.why.push("it holds a lease, as the only one of those that run as its account".into());
    (leader.score, leader.ruled_out) = (score, None);
    candidates.insert(0, leader);
    Ok(())
}

/// The place of a workload that leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Leader {
    /// Among the candidates.
    Candidate(usize),
    /// Among those that were ruled out by their names.
    RuledOut(usize),
}

/// The workload that leads, of those that run as the account of the first candidate: it holds a lease
/// that is renewed. `None` where no other runs as that account, where the first has the whole of a
/// known name, and where none of them leads.
fn find(
    candidates: &[Candidate<'_>],
    ruled_out: &[Candidate<'_>],
    traces: &Traces<'_>,
    facts: &Facts<'_>,
) -> Known<Option<Leader>> {
    let Some(first) = candidates.first() else { return Ok(None) };
    let account = first.account();
    if traces.names.iter().any(|name| name.owner && is_called(first.seen.object, &name.word)) {
        return Ok(None);
    }
    let only_its_name = |one: &Candidate<'_>| one.ruled_out.as_ref().is_some_and(|out| out.by_name || !out.sure);
    let candidates = candidates.iter().enumerate().map(|(place, one)| (Leader::Candidate(place), one));
    let others = ruled_out.iter().enumerate().filter(|(_, one)| only_its_name(one));
    let others = others.map(|(place, one)| (Leader::RuledOut(place), one));
    let all: Vec<_> = candidates.chain(others).filter(|(_, one)| one.account() == account).collect();
    if all.len() < 2 {
        return Ok(None);
    }
    for (place, one) in all {
        let lease = health::lease(one.seen, &[], facts).if_readable()?.flatten();
        if lease.is_some_and(|lease| lease.fresh) {
            return Ok(Some(place));
        }
    }
    Ok(None)
}
