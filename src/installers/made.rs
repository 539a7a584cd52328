//! The objects of a product: those that are deleted when it is removed, those that the installer
//! would leave, and those that only carry its marks or that it only names.

use super::find::{Installed, Rows};
use super::installer::{Installer, Role};
use super::led::{Led, led};
use super::membership::Others;
use super::proof::{MarkedObject, Says, accounts};
use crate::facts::{Facts, Known, Readable, each, for_each};
use crate::kubernetes::ownership::access;
use crate::survey::Seen;

/// An object that has the marks of a product or that it names, but, so far as can be seen, was not installed
/// with it.
pub(crate) struct Apart<'s> {
    pub(crate) seen: Seen<'s>,
    pub(crate) why: String,
}

/// The objects of a product.
#[derive(Default)]
pub(crate) struct Made<'s> {
    /// The installer's own objects that are not deleted with another one of them.
    pub(crate) own: Vec<Seen<'s>>,
    /// The last of `own` whose deletion removes the product.
    pub(crate) remover: Option<Seen<'s>>,
    /// The installer's own objects that only count the components.
    pub(crate) counts: Vec<Seen<'s>>,
    /// The objects that it created and would remove.
    pub(crate) members: Vec<Seen<'s>>,
    /// The objects that it created and would leave, and why.
    pub(crate) keeps: Vec<(Seen<'s>, &'static str)>,
    /// The objects with its marks, or in its record, that are listed apart.
    pub(crate) apart: Vec<Apart<'s>>,
    /// The reason why the deletion of its own object would leave everything.
    pub(crate) stays: Option<&'static str>,
}

/// The reason why an object in an installer's record is no member.
const NAMED: &str = "listed by the installer, but not deleted: nothing on the object says that it belongs to the \
    product";

/// The reason why an object is kept which only a sync would keep.
const IN_SYNC: &str = "an annotation keeps it in a sync";

/// Determines the objects of a product. An object outside of the namespace of the product is a member only
/// if it points back at the product in a way that nobody can write who may write in that namespace alone.
/// `within` is the only namespace of a product whose marks name none.
pub(crate) fn made<'s>(
    product: &Installed<'s>,
    within: Option<&str>,
    rows: &Rows<'s>,
    facts: &Facts<'s>,
) -> Known<Made<'s>> {
    let mut led = led(product, rows, facts)?;
    let marked = product.marked.iter().map(|seen| MarkedObject { seen: *seen, says: Says::of(product, *seen) });
    let labelled = led.labelled.iter().map(|seen| MarkedObject { seen: *seen, says: Says::Name });
    let all = marked.chain(labelled).filter(|it| led.known.insert(it.seen.object.uid()));
    let candidates: Vec<MarkedObject<'s>> = all.collect();
    let (marked, mut apart) = sorted(product, within, &candidates, &led, facts)?;
    let is_new = |seen: &Seen<'s>| led.known.insert(seen.object.uid());
    let unproven: Vec<Seen<'s>> = std::mem::take(&mut led.unproven).into_iter().filter(is_new).collect();
    apart.extend(unproven.into_iter().map(|seen| Apart { seen, why: NAMED.into() }));
    let mut made = Made { apart, stays: led.stays, ..Made::default() };
    led.members.extend(marked.into_iter().map(|seen| (seen, led.stays)));
    divide(&product.own, product.installer, &mut led, &mut made);
    let accounts = accounts(product, facts)?;
    for_each(std::mem::take(&mut led.members), |(seen, stays)| {
        let metadata = &seen.object.metadata;
        let is_own = product.installer.is_own(seen);
        let mut may = each(&accounts, |account| access::may_delete(account, seen, facts).if_readable())?.into_iter();
        // Where nobody but this program is left to delete it, what held only during a sync holds, too.
        let keeps = (product.installer.keeps)(metadata).or_else(|| {
            (product.installer.fails_to_keep)(metadata).map(|_| IN_SYNC).filter(|_| product.own.is_empty())
        });
        if let (Some(account), false) = (accounts.first(), is_own)
            && may.all(|may| may == Some(false))
        {
            let why = format!("ServiceAccount {account}, as which the installer acts, may not delete it");
            made.apart.push(Apart { seen, why });
        } else if let Some(why) = keeps.or(stays.filter(|_| !is_own)) {
            made.keeps.push((seen, why));
        } else {
            made.members.push(seen);
        }
        Ok(())
    })?;
    Ok(made)
}

/// Separates the installer's own objects that are to be deleted from those deleted with them.
fn divide<'s>(own: &[Seen<'s>], installer: &Installer, led: &mut Led<'s>, made: &mut Made<'s>) {
    let role = |seen: &Seen<'s>| installer.role_of(*seen);
    let is_owned =
        |seen: &Seen<'s>| seen.object.metadata.owner_references.iter().any(|it| led.known.contains(it.uid.as_str()));
    let removes = own.iter().any(|seen| role(seen) == Role::Removes);
    for seen in own {
        match role(seen) {
            Role::Counts => made.counts.push(*seen),
            Role::Follows if removes => led.members.push((*seen, None)),
            _ if is_owned(seen) => led.members.push((*seen, None)),
            _ => made.own.push(*seen),
        }
    }
    made.own.sort_by_key(|seen| installer.place_of(*seen));
    made.remover = made.own.iter().rfind(|seen| !matches!(role(seen), Role::Asks(_))).copied();
}

/// Separates the objects with marks into those that were installed with the product and those that
/// were not, so far as can be seen. Anyone who may write an object may mark it.
fn sorted<'s>(
    product: &Installed<'s>,
    within: Option<&str>,
    marked: &[MarkedObject<'s>],
    led: &Led<'s>,
    facts: &Facts<'s>,
) -> Known<(Vec<Seen<'s>>, Vec<Apart<'s>>)> {
    let others = Others::of(product, within, marked, led, facts)?;
    let (mut own, mut apart) = (Vec::new(), Vec::new());
    for_each(marked, |candidate| {
        match others.why_apart(candidate, facts)? {
            Some(why) => apart.push(Apart { seen: candidate.seen, why }),
            None => own.push(candidate.seen),
        }
        Ok(())
    })?;
    Ok((own, apart))
}
