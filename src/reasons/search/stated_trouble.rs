//! The reasons that held objects, and their controller's messages, give why it does not release them.

use crate::facts::{All, Facts, Known, flat_each, for_each, since};
use crate::kubernetes::definitions::versions;
use crate::kubernetes::mentions::InTheWay;
use crate::kubernetes::mentions::bare_names::{BareNames, bare_names};
use crate::kubernetes::mentions::followers::is_bound;
use crate::kubernetes::mentions::inventory::{has_inventory, listed_and_going};
use crate::kubernetes::mentions::message::in_the_way;
use crate::kubernetes::mentions::no_kind::unserved_kind;
use crate::kubernetes::messages::admission::INVALID;
use crate::kubernetes::messages::mentions;
use crate::kubernetes::messages::trouble::{is_about_absence, is_about_use, is_waiting};
use crate::kubernetes::past_obstacle::PastObstacle;
use crate::kubernetes::progress::inquiry::Inquiry;
use crate::kubernetes::progress::missing::{self, Absent, ReferenceRole};
use crate::kubernetes::progress::unwell::{partners_going, partners_in_trouble};
use crate::kubernetes::statements::said_in::SaidIn;
use crate::kubernetes::statements::statement::{CANNOT_CREATE, Statement};
use crate::kubernetes::{admission, aggregation};
use crate::reasons::found_reason::FoundReason;
use crate::reasons::{
    cannot_create, controller_says, dangling_reference, dependency_missing, kind_not_served, reported,
    says_only_that_it_fails, waits_for_others, waits_for_what_is_gone,
};
use crate::report::{ControllerState, Ref};
use jiff::{SignedDuration, Timestamp};

/// The reasons that the object and its controller's messages give.
pub(super) struct StatedTrouble<'s> {
    /// The obstacle, and the state of the controller that it shows.
    pub(super) trouble: Option<(ControllerState, FoundReason<'s>)>,
    /// A missing object that the object refers to, though no message says so.
    pub(super) lacks: Option<FoundReason<'s>>,
    /// Where the words about the obstacle were read, if words give it.
    pub(super) said_in: Option<SaidIn<'s>>,
}

/// Where `said` were read: of several places, the one that the fewest may write to.
fn place<'w, 's: 'w>(said: impl IntoIterator<Item = &'w Statement<'s>>) -> Option<SaidIn<'s>> {
    said.into_iter().map(|said| said.said_in).min()
}

/// Where statements name one of these objects.
fn place_of_names<'s>(said: &[Statement<'s>], blockers: &[InTheWay<'_>]) -> Option<SaidIn<'s>> {
    let is_about = |said: &&Statement<'_>| blockers.iter().any(|it| mentions(&said.message, it.blocker.object.name()));
    place(said.iter().filter(is_about))
}

/// Looks for the reasons that statements and references give.
pub(super) fn obstacle<'s>(
    names: &[String],
    inquiry: Inquiry<'_, 's>,
    evidence: &mut Vec<String>,
) -> Known<StatedTrouble<'s>> {
    let Inquiry { held, said, facts, gaps, .. } = inquiry;
    let (absent, mut in_the_way, listed) =
        (missing::absent(inquiry), in_the_way(said, facts), listed_and_going(held, facts, gaps)).all()?;
    let is_going = !listed.is_empty();
    let in_their_way = place_of_names(said, &in_the_way);
    if in_the_way.is_empty() {
        evidence.extend(listed.iter().take(2).map(|edge| {
            format!("{} lists {} as its own, which is being deleted", Ref::from(edge.waiting), Ref::from(edge.blocker))
        }));
        in_the_way = listed;
    }
    let troubles: Vec<&Statement<'_>> = said.iter().filter(|said| said.trouble).collect();
    evidence.extend(troubles.iter().take(3).map(|said| format!("{}: {}", Ref::from(said.of), said.text)));
    // Waiting for another object is no failure.
    let waits =
        !troubles.is_empty() && troubles.iter().all(|said| is_waiting(&said.message) || is_about_use(&said.message));
    let state = if waits { ControllerState::Alive } else { ControllerState::Failing };
    let trouble = |why, said_in| Ok(StatedTrouble { trouble: Some((state, why)), lacks: None, said_in });
    let refused = |said: &&&Statement<'_>| said.message.contains(CANNOT_CREATE);
    if let Some(said_in) = place(troubles.iter().filter(refused).copied()) {
        return trouble(cannot_create::found(), Some(said_in));
    }
    evidence.extend(
        absent.iter().take(2).map(|absent| format!("{} names {}, which does not exist", absent.field, absent.what)),
    );
    // An event that is no warning may be about other work than what the deletion waits for.
    let warned =
        |absent: &Absent| troubles.iter().any(|said| !said.is_calm_event && mentions(&said.message, &absent.what.name));
    if let Some(absent) = absent.iter().find(|absent| absent.named && (!is_going || warned(absent))) {
        let said_in = place(said.iter().filter(|said| mentions(&said.message, &absent.what.name)));
        return trouble(dependency_missing::found(absent.what.clone()), said_in);
    }
    let no_kind = unserved_kind(held, said, facts.discovery());
    evidence.extend(
        no_kind.iter().map(|it| format!("{} names {}, but no definition serves that kind", it.field, it.full())),
    );
    if let Some(no_kind) = no_kind.clone().filter(|it| it.said) {
        let said_in = place(troubles.iter().filter(|said| said.message.contains(&no_kind.kind)).copied());
        return trouble(kind_not_served::found(no_kind), said_in);
    }
    if !in_the_way.is_empty() {
        return trouble(waits_for_others::found(in_the_way), in_their_way);
    }
    // A message that something does not exist, and a reference to a missing object, mean the same
    // object.
    let is_about_absence = troubles.iter().any(|said| is_about_absence(&said.message));
    if let Some(it) = absent.iter().find(|absent| is_about_absence && !absent.is_childs) {
        return trouble(dangling_reference::found(it.what.clone(), it.field.clone()), None);
    }
    let (why, uncalled) = (by_words(&troubles, names, inquiry), missing::by_host(inquiry)).all()?;
    // A Service that cannot be reached explains messages that only say that something fails.
    let says_only = why.as_ref().is_some_and(|(why, _)| why.is(&says_only_that_it_fails::REASON));
    if let Some(it) = uncalled.first().filter(|_| says_only) {
        return trouble(dangling_reference::found(it.what.clone(), it.field.clone()), None);
    }
    if let Some((why, said_in)) = why {
        return trouble(why, said_in);
    }
    if let Some(waits) = waits_for_partners(names, inquiry)? {
        return Ok(waits);
    }
    let lacks = lacked(absent.into_iter().chain(uncalled), inquiry)?;
    Ok(StatedTrouble { trouble: None, lacks: lacks.or(no_kind.map(kind_not_served::found)), said_in: None })
}

/// The objects of the same product that are being deleted and that the controller's reports of its work may mean.
fn waits_for_partners<'s>(names: &[String], inquiry: Inquiry<'_, 's>) -> Known<Option<StatedTrouble<'s>>> {
    let at_work = || inquiry.said.iter().filter(|said| said.goes_on && !said.is_hearsay(names));
    let going = flat_each(at_work(), |said| partners_going(said, inquiry))?;
    Ok((!going.is_empty()).then(|| StatedTrouble {
        trouble: Some((ControllerState::Alive, waits_for_others::found(going))),
        lacks: None,
        said_in: place(at_work()),
    }))
}

/// The missing object in `absent` that the clean-up needs, or that the owners of the objects refer to.
/// After the deletion, other references of a spec may be to objects that the controller has cleaned up.
fn lacked<'s>(absent: impl Iterator<Item = Absent>, inquiry: Inquiry<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    let Inquiry { held, facts, .. } = inquiry;
    let foreseen = held.objects.iter().all(|seen| !seen.object.is_deleting());
    // A class is read when an object is created, and a bound object has been created.
    let is_made = held.read().any(|seen| is_bound(seen, facts.discovery()));
    // If the status lists the objects to clean up, the controller does not read their source again.
    let lists_it = held.read().all(|seen| has_inventory(seen.object));
    let is_needed = |absent: &Absent| match absent.part {
        ReferenceRole::Source => !(is_made && absent.what.kind.ends_with("Class")),
        ReferenceRole::Kin if lists_it => false,
        // An object whose name contains its owner's was made for it.
        ReferenceRole::Kin => foreseen || !absent.is_childs,
        ReferenceRole::Data => foreseen,
        ReferenceRole::Other => false,
    };
    let lacks = match absent.filter(is_needed).min_by_key(|absent| absent.part) {
        Some(own) => Some(own),
        None => missing::lacked_by_owners(inquiry)?.into_iter().next(),
    };
    Ok(lacks.map(|it| dangling_reference::found(it.what, it.field)))
}

/// The reason in messages about trouble that name no kind, and where these were read.
fn by_words<'s>(
    troubles: &[&Statement<'s>],
    names: &[String],
    inquiry: Inquiry<'_, 's>,
) -> Known<Option<(FoundReason<'s>, Option<SaidIn<'s>>)>> {
    let tells: Vec<&Statement<'s>> = troubles.iter().filter(|said| said.tells_why()).copied().collect();
    let own = tells.iter().find(|said| !said.is_hearsay(names)).or(tells.first());
    // The refusal of a write names the written object, which is no obstacle.
    let naming: Vec<&Statement<'s>> = troubles.iter().filter(|said| !said.message.contains(INVALID)).copied().collect();
    let bare = bare_names(&naming, inquiry.finalizer, inquiry.held, inquiry.facts, inquiry.gaps);
    let waits = own.filter(|said| !said.is_hearsay(names) && is_waiting(&said.message));
    let partners = waits.map_or(Ok(Vec::new()), |said| partners_in_trouble(said, inquiry));
    let (bare, partners) = (bare, partners).all()?;
    if bare.is_none() && !partners.is_empty() {
        return Ok(Some((waits_for_others::found(partners), place(waits.copied()))));
    }
    let why = match (bare, own, troubles.first()) {
        (Some(BareNames::There(blockers)), ..) => {
            let is_about =
                |said: &&Statement<'_>| blockers.iter().any(|it| mentions(&said.message, it.blocker.object.name()));
            let said_in = place(naming.iter().copied().filter(is_about));
            (waits_for_others::found(blockers), said_in)
        }
        (Some(BareNames::NotThere(what)), ..) => (waits_for_what_is_gone::found(what), place(naming)),
        (None, Some(said), _) if said.is_hearsay(names) => (reported::found(&said.message), Some(said.said_in)),
        (None, Some(said), _) => (controller_says::found(&said.message), Some(said.said_in)),
        (None, None, Some(said)) => (says_only_that_it_fails::found(said.message.clone()), Some(said.said_in)),
        (None, None, None) => return Ok(None),
    };
    Ok(Some(why))
}

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
}

/// The obstacle in a statement, if it has ended.
fn no_longer(said: &Statement<'_>, facts: &Facts<'_>) -> Known<Option<PastObstacle>> {
    let refused = admission::overtaken(&said.message, said.at, facts);
    let unconverted = versions::overtaken(&said.message, said.at, facts);
    let unavailable = aggregation::overtaken(&said.message, said.at, facts);
    let (refused, unconverted, unavailable) = (refused, unconverted, unavailable).all()?;
    Ok(refused.or(unconverted).or(unavailable))
}
