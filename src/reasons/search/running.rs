//! A controller that runs: its obstacles, or the evidence that it works.

use super::attention;
use super::words::{SaidReason, reason_in};
use crate::facts::{All, Facts, Known, Readable, ago, each, since};
use crate::kubernetes::finalizers::HeldObjects;
use crate::kubernetes::finalizers::gaps::Gaps;
use crate::kubernetes::finalizers::names::ControllerName;
use crate::kubernetes::ownership::candidates::Candidate;
use crate::kubernetes::ownership::owner;
use crate::kubernetes::ownership::owner::Fit;
use crate::kubernetes::past_obstacle::CONTROLLER;
use crate::kubernetes::progress::inquiry::Inquiry;
use crate::kubernetes::progress::usual::USUALLY;
use crate::kubernetes::progress::{missing, writes};
use crate::kubernetes::workloads::health;
use crate::kubernetes::workloads::health::{Lease, NodeState};
use crate::reasons::asked::AskedController;
use crate::reasons::at_work::{Work, WorkShown};
use crate::reasons::found_reason::FoundReason;
use crate::reasons::gives_no_reason;
use crate::reasons::questions::Questions;
use crate::reasons::statement_times::StatementTimes;
use crate::reasons::unsaid::UnsaidReasons;
use crate::report::{Ref, Sentence};
use crate::survey::Object;
use jiff::Timestamp;

/// The reason why `best`, whose Ready pods are `pods`, has not released its objects.
pub(super) fn look<'s>(
    best: &Candidate<'s>,
    pods: &[&Object],
    inquiry: Inquiry<'_, 's>,
    evidence: &mut Vec<Sentence>,
    questions: &Questions,
) -> Known<FoundReason<'s>> {
    let Inquiry { held, facts, gaps, .. } = inquiry;
    let lease = health::lease(best.seen, pods, facts);
    let names = names_of(best, inquiry);
    let watches = attention::looks_at_it(&names, inquiry);
    let asked = AskedController { best, pods, names: &names, watches, inquiry };
    let [first, further @ ..] = questions.running else { return Ok(gives_no_reason::found()) };
    // The statements are read along with the first questions, which saves a round.
    let unheard = Gaps::default();
    let times = StatementTimes::of(inquiry.said, health::running_since(pods), facts);
    let said = times.and_then(|times| {
        let present = Inquiry { said: &times.present, gaps: &unheard, ..inquiry };
        let said = reason_in(&names, present, questions)?;
        Ok((times, said))
    });
    let (mut before, (times, said)) = (each(*first, |ask| ask(&asked)), said).all()?;
    for row in further {
        if before.iter().all(Option::is_none) {
            before = each(*row, |ask| ask(&asked))?;
        }
    }
    if let Some(why) = before.into_iter().flatten().next() {
        return Ok(why);
    }
    gaps.take_over(&unheard);
    let SaidReason { why, evidence: heard, absent, no_kind } = said;
    evidence.extend(heard);
    if let Some(why) = why {
        return Ok(why.doubtful(times.may_be_mended(facts)?));
    }
    let (lease, hosts) = (gaps.pass(lease), missing::by_host(inquiry)).all()?;
    let (lease, lacking) = (lease.flatten(), missing::lacked(absent.into_iter().chain(hosts), inquiry)?);
    evidence.extend(lease.iter().map(|lease| lease.text.clone().into()));
    let is_led = lease.as_ref().is_none_or(|lease| lease.fresh);
    let shown = if is_led { work(&asked, lease.as_ref(), &times, first_asked(held), evidence) } else { None };
    let past = match times.past.as_slice() {
        [] => None,
        said => reason_in(&names, Inquiry { said, ..inquiry }, questions)?.why,
    };
    let unsaid = UnsaidReasons { asked: &asked, times: &times, past, lease, shown, lacking, no_kind };
    for ask in questions.unsaid {
        if let Some(why) = ask(&unsaid)? {
            return Ok(why);
        }
    }
    Ok(gives_no_reason::found())
}

/// A pod of `best` that is starting, on a node that is Ready.
pub(super) fn starting(best: &Candidate<'_>, facts: &Facts<'_>) -> Known<Option<String>> {
    let pods = best.pods(facts).if_readable()?.unwrap_or_default();
    let Some(pod) = pods.iter().find(|pod| health::is_starting(pod, facts.now())) else { return Ok(None) };
    let node = health::node_of(pod, facts).if_readable()?;
    Ok(node.is_none_or(|node| node == NodeState::Ready).then(|| pod.name().to_owned()))
}

/// The names under which `best` may write. Writes under other names show nothing about `best`.
fn names_of(best: &Candidate<'_>, inquiry: Inquiry<'_, '_>) -> Vec<String> {
    let traces = inquiry.traces;
    let own = |name: &&ControllerName| name.owner || owner::fit(&name.word, best.seen.object) != Fit::Not;
    let names = traces.names.iter().filter(own).map(|name| name.word.clone());
    names.chain([best.reference().name.clone()]).collect()
}

/// Looks for evidence that the controller works, or will work, on a deletion that was requested at `asked`.
fn work(
    controller: &AskedController<'_, '_>,
    lease: Option<&Lease>,
    times: &StatementTimes<'_>,
    asked: Option<Timestamp>,
    evidence: &mut Vec<Sentence>,
) -> Option<WorkShown> {
    let AskedController { best, pods, names, inquiry, .. } = controller;
    let Inquiry { held, facts, .. } = inquiry;
    // If permissions are the only evidence for it, it may be leading in another matter.
    let lately = best.named && asked.is_some_and(|asked| since(asked, facts.now()) <= USUALLY);
    let mut work = None;
    if let Some(said) = times.present.iter().find(|said| said.goes_on) {
        evidence.push(format!("{}: {}", Ref::from(said.of), said.text).into());
        work = Some(Work::Expected);
    }
    if let Some(asked) = asked {
        if let Some((pod, back)) = health::back_since(pods, asked, facts.now()) {
            let (back_ago, asked) = (ago(back, facts), ago(asked, facts));
            evidence.push(format!("pod {pod} became Ready {back_ago} ago; deletion was requested {asked} ago").into());
            work = Some(Work::Back(back));
        }
        if let Some(mended) = times.mended.as_ref().filter(|mended| mended.is_fresh(asked, CONTROLLER, facts)) {
            evidence.push(mended.says().into());
            work = Some(Work::Freed(mended.until));
        }
    }
    if let Some(written) = writes::wrote_lately(held, names, facts) {
        evidence.push(written.text.into());
        work = work.or(written.is_progress.then_some(Work::Expected));
    }
    let by_lease_alone = work.is_none();
    let work = work.or(lease.filter(|_| lately).map(|_| Work::Expected))?;
    Some(WorkShown { work, by_lease_alone })
}

/// When the first deletion of a held object was requested; `None` if the deletions are only
/// foreseen.
fn first_asked(held: &HeldObjects<'_>) -> Option<Timestamp> {
    held.objects.iter().filter_map(|seen| seen.object.deletion_asked()).min()
}

/// Whether all of `pods` began after the last of the held objects' deletions was requested.
pub(super) fn began_later(pods: &[&Object], held: &HeldObjects<'_>) -> bool {
    let asked = held.objects.iter().filter_map(|seen| seen.object.deletion_asked()).max();
    asked.zip(health::running_since(pods)).is_some_and(|(asked, began)| began > asked)
}
