//! An object is not being deleted because its controller has created it again
//! (kubernetes/kubernetes: `pkg/controller/controller_utils.go`,
//! `pkg/controller/statefulset/stateful_set_control.go`).

use crate::facts::{Facts, Known, Readable, SETTLE, Target, ago, since};
use crate::kubernetes::garbage_collection::standing;
use crate::needs::{Draft, Explains, Findings, Rule};
use crate::plan::full_name;
use crate::report::{Cause, OwnerState, Ref, Remedy, Sentence};
use crate::survey::Seen;
use jiff::SignedDuration;

pub(super) const RULE: Rule = Rule::new("made-again", include_str!("made_again.md"), &[Explains::Deleted(diagnose)]);

/// The maximum age of the object: an older one did not replace an object that was deleted just now.
const MAX_AGE: SignedDuration = SignedDuration::from_mins(5);

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    let object = target.object();
    let (Some(made), false) = (object.metadata.creation_timestamp, target.is_deleting()) else { return Ok(()) };
    // The controller of a mirror pod is its node, which creates nothing.
    let mut owners = object.metadata.owner_references.iter().filter(|owner| owner.kind != "Node");
    let owner = owners.find(|owner| owner.controller == Some(true));
    let Some(owner) = owner.filter(|_| since(made, facts.now()) < MAX_AGE) else { return Ok(()) };
    let standing = standing(owner, object.metadata.namespace.as_deref(), facts).if_readable()?;
    let Some((OwnerState::Present, Some(owner))) = standing else { return Ok(()) };
    // The first object of a new owner is created at once.
    if owner.object.metadata.creation_timestamp.is_some_and(|it| since(it, made) > SETTLE) {
        found.add(draft(&target.reference(), owner, &ago(made, facts)));
    }
    Ok(())
}

fn draft(object: &Ref, owner: Seen<'_>, age: &str) -> Draft {
    let owner = Ref::from(owner);
    let summary = Sentence::about(object, format!("is not being deleted: {owner} created it {age} ago"));
    let look = format!("kubectl get {} -o yaml", full_name(&owner));
    Draft::new(Cause::NotDeleting, object.clone(), summary)
        .likely()
        .evidence(format!("was created {age} ago"), object, "metadata.creationTimestamp")
        .evidence(format!("its controller is {owner}, which is older"), object, "metadata.ownerReferences")
        .waits_for(owner.clone())
        .remedy(Remedy::command(
            format!("check {owner}, which creates the deleted objects again, and decide whether to stop it"),
            look,
            "checking loses nothing",
        ))
}
