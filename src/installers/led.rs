//! What the installer's own objects lead to.

use super::find::{Installed, Rows, counts};
use super::installer::label;
use super::inventory::Inventory;
use super::proof::is_said_back;
use crate::facts::{Facts, Known, each, flat_each, goes_with};
use crate::survey::Seen;
use std::collections::HashSet;

/// The objects reached from the installer's own objects.
#[derive(Default)]
pub(super) struct Led<'s> {
    /// The uids of everything that is known to belong to the product.
    pub(super) known: HashSet<&'s str>,
    /// The objects that these own and list, and why the deletion of what lists them would leave them.
    pub(super) members: Vec<(Seen<'s>, Option<&'static str>)>,
    /// The objects that these list, and that do not say that they belong to them.
    pub(super) unproven: Vec<Seen<'s>>,
    /// The objects with a label that these name.
    pub(super) labelled: Vec<Seen<'s>>,
    /// The namespaces that these name.
    pub(super) namespaces: HashSet<&'s str>,
    /// Whether these list every object that they created.
    pub(super) is_listed: bool,
    /// The reason why the deletion of the product's own objects would leave everything.
    pub(super) stays: Option<&'static str>,
}

/// Follows the installer's own objects to the objects that they own and list.
pub(super) fn led<'s>(product: &Installed<'s>, rows: &Rows<'s>, facts: &Facts<'s>) -> Known<Led<'s>> {
    let mut led = Led { known: product.own.iter().map(|seen| seen.object.uid()).collect(), ..Led::default() };
    let mut next = product.own.clone();
    while let Some(seen) = next.pop() {
        let owned = rows.of(seen).iter().filter(|it| goes_with(**it, &led.known)).map(|it| (*it, None));
        let mut more: Vec<(Seen<'s>, Option<&'static str>)> = owned.collect();
        if let Some(installer) = rows.owner(seen)
            && let Some(whole) = facts.whole(seen)?
        {
            let inventory = (installer.inventory)(whole);
            // The rules of an object that the product has only listed hold for what that object lists.
            let is_its = product.own.iter().any(|own| own.object.uid() == seen.object.uid());
            led.stays = led.stays.or(inventory.stays.filter(|_| is_its));
            let entries = listed(seen, &inventory, facts)?;
            led.is_listed |= !entries.is_empty() && !inventory.is_part;
            let entries = each(entries, |entry| Ok((entry, is_said_back(seen, entry, installer, rows, facts)?)))?;
            for (entry, is_proven) in entries {
                if is_proven { more.push((entry, inventory.stays)) } else { led.unproven.push(entry) }
            }
            led.namespaces.extend(inventory.namespaces);
            if let Some((key, value)) = inventory.label {
                let has_it = |it: &&Seen<'s>| label(&it.object.metadata, key) == Some(value) && counts(**it);
                led.labelled.extend(rows.all.iter().filter(has_it));
            }
        }
        for (it, stays) in more {
            if led.known.insert(it.object.uid()) {
                led.members.push((it, stays));
                next.push(it);
            }
        }
    }
    Ok(led)
}

/// All existing objects that an installer's own object lists.
fn listed<'s>(seen: Seen<'s>, inventory: &Inventory<'_>, facts: &Facts<'s>) -> Known<Vec<Seen<'s>>> {
    let around = seen.object.metadata.namespace.as_deref();
    let found = flat_each(&inventory.entries, |entry| entry.seen(around, facts))?;
    Ok(found.into_iter().filter(|entry| entry.object.uid() != seen.object.uid()).collect())
}
