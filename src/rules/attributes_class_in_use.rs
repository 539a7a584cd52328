//! A class of volume attributes is kept while a claim or a volume names it
//! (kubernetes/kubernetes: `pkg/controller/volume/vacprotection/vac_protection_controller.go`).

use crate::facts::{Facts, Known, OwnedFinalizer, Readable, Target, flat_each, for_each};
use crate::findings::controller_manager::{RELEASED_BY, protection_was_not_taken_off};
use crate::findings::storage::{kept, used_by};
use crate::kubernetes::finalizers::late::waiting;
use crate::kubernetes::storage::{CLASS_IN_USE, has, is_attributes_class, is_claim};
use crate::needs::{Draft, Explains, Findings, Rule};
use crate::plan::{in_namespace, one};
use crate::report::{Cause, Ref, Remedy, and_more};
use crate::survey::{Form, Object, Resource, Seen};

pub(super) const RULE: Rule =
    Rule::new("attributes-class-in-use", include_str!("attributes_class_in_use.md"), &[Explains::Unused(diagnose)])
        .owns(&[OwnedFinalizer::new("volumeattributesclasses.storage.k8s.io", CLASS_IN_USE)]);

/// Fields in which a claim names a class: the requested one, the current one, and the target of a change.
const OF_CLAIMS: [&str; 3] = [
    "/spec/volumeAttributesClassName",
    "/status/currentVolumeAttributesClassName",
    "/status/modifyVolumeStatus/targetVolumeAttributesClassName",
];
const OF_VOLUMES: [&str; 1] = ["/spec/volumeAttributesClassName"];

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    let held = waiting(target, facts)?;
    for_each(held.into_iter().filter(|seen| is_attributes_class(seen.resource) && has(*seen, CLASS_IN_USE)), |class| {
        let draft = match users(class.object.name(), facts).or_note(facts)? {
            Some(users) => draft(class, &users, target, facts, found)?,
            None => begin(class, "waits for claims and volumes that could not be read").likely(),
        };
        found.add(draft);
        Ok(())
    })
}

/// The claims and volumes that name a class, the claims first.
fn users<'s>(class: &str, facts: &Facts<'s>) -> Known<Vec<Seen<'s>>> {
    flat_each([("persistentvolumeclaims", &OF_CLAIMS[..]), ("persistentvolumes", &OF_VOLUMES)], |(plural, fields)| {
        facts.preferred("", plural).map_or(Ok(Vec::new()), |kind| naming(class, kind, fields, facts))
    })
}

fn naming<'s>(class: &str, kind: &'s Resource, fields: &[&str], facts: &Facts<'s>) -> Known<Vec<Seen<'s>>> {
    let names = |object: &&Object| fields.iter().any(|field| object.text(field) == Some(class));
    let listed = facts.list(&kind.id, None, Form::Whole)?;
    Ok(listed.iter().filter(names).map(|object| Seen { resource: kind, object }).collect())
}

fn begin(class: Seen<'_>, because: &str) -> Draft {
    let named = Ref::from(class);
    kept(Cause::Storage, &named, CLASS_IN_USE, format!("{named} {because}"))
}

fn draft(
    class: Seen<'_>,
    users: &[Seen<'_>],
    target: &Target<'_>,
    facts: &Facts<'_>,
    found: &mut Findings,
) -> Known<Draft> {
    let Some(first) = users.first() else {
        return protection_was_not_taken_off(
            begin(class, "keeps its finalizer: no claim and no volume names it").remark(RELEASED_BY),
            class,
            facts,
        );
    };
    let named = Ref::from(*first);
    let more = and_more(users.len() - 1);
    let mut draft = begin(class, &format!("waits for {named}{more}: a claim or volume that names the class keeps it"));
    for user in users.iter().take(3) {
        let fields: &[&str] = if is_claim(user.resource) { &OF_CLAIMS } else { &OF_VOLUMES };
        let field = fields.iter().find(|field| user.object.text(field) == Some(class.object.name()));
        let place = field.map(|field| field[1..].replace('/', ".")).unwrap_or_default();
        draft = draft.evidence("names the class", &Ref::from(*user), &place).in_summary();
    }
    if is_claim(first.resource) {
        draft = draft.remedy(move_away(&named));
    }
    used_by(draft, users, target, facts, found)
}

/// The remedy to give the claim another class: its volume follows, and the old class is then deleted by
/// itself.
fn move_away(claim: &Ref) -> Remedy {
    Remedy::command(
        format!("set another class in {claim}"),
        format_args!(
            "kubectl patch {}{} --type=merge -p '{{\"spec\":{{\"volumeAttributesClassName\":\"OTHER\"}}}}'",
            one("pvc", &claim.name),
            in_namespace(claim)
        ),
        "nothing is lost: the CSI driver changes the volume while it is in use",
    )
}
