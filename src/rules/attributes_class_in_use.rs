//! A class of volume attributes is kept while a claim or a volume names it
//! (kubernetes/kubernetes: `pkg/controller/volume/vacprotection/vac_protection_controller.go`).

use crate::facts::{Facts, Known, Readable, Target, flat_each};
use crate::findings::in_use::{InUseFinalizer, MAX_SHOWN, Use, first_and_more};
use crate::kubernetes::storage::is_claim;
use crate::needs::{Explains, Findings, Rule};
use crate::plan::{in_namespace, one};
use crate::report::{Ref, Remedy};
use crate::survey::{Form, Seen};

pub(super) const RULE: Rule =
    Rule::new("attributes-class-in-use", include_str!("attributes_class_in_use.md"), &[Explains::Unused(diagnose)])
        .owns(&[FINALIZER.owned]);

const FINALIZER: InUseFinalizer =
    InUseFinalizer::new("volumeattributesclasses.storage.k8s.io", "kubernetes.io/vac-protection");

/// Fields in which a claim names a class: the requested one, the current one, and the target of a change.
const OF_CLAIMS: [&str; 3] = [
    "/spec/volumeAttributesClassName",
    "/status/currentVolumeAttributesClassName",
    "/status/modifyVolumeStatus/targetVolumeAttributesClassName",
];
const OF_VOLUMES: [&str; 1] = ["/spec/volumeAttributesClassName"];

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    FINALIZER.diagnose(target, facts, found, use_of)
}

fn use_of<'s>(class: Seen<'s>, facts: &Facts<'s>) -> Known<Use<'s>> {
    let (named, name) = (Ref::from(class), class.object.name());
    let Some(users) = users(name, facts).or_note(facts)? else {
        let says = format!("{named} waits for claims and volumes that could not be read");
        return Ok(Use::Unread(FINALIZER.keeps(&named, says)));
    };
    let Some(first) = users.first() else {
        let says = format!("{named} keeps its finalizer, although no claim and no volume names it");
        return Ok(Use::Over(FINALIZER.keeps(&named, says)));
    };
    let who = first_and_more(*first, users.len());
    let says = format!("{named} waits for {who}: a claim or volume that names the class keeps it");
    let draft = FINALIZER.keeps(&named, says).with_each(users.iter().take(MAX_SHOWN), |draft, user| {
        draft.evidence("names the class", &Ref::from(*user), &place(*user, name)).in_summary()
    });
    let another = is_claim(first.resource).then(|| move_away(&Ref::from(*first)));
    Ok(Use::By(users, draft.remedies(another)))
}

/// The field in which a user names the class.
fn place(user: Seen<'_>, class: &str) -> String {
    let fields: &[&str] = if is_claim(user.resource) { &OF_CLAIMS } else { &OF_VOLUMES };
    let field = fields.iter().find(|field| user.object.text(field) == Some(class));
    field.map(|field| field[1..].replace('/', ".")).unwrap_or_default()
}

/// The claims and volumes that name a class, the claims first.
fn users<'s>(class: &str, facts: &Facts<'s>) -> Known<Vec<Seen<'s>>> {
    flat_each([("persistentvolumeclaims", &OF_CLAIMS[..]), ("persistentvolumes", &OF_VOLUMES)], |(plural, fields)| {
        let Some(kind) = facts.preferred("", plural) else { return Ok(Vec::new()) };
        let listed = facts.list(&kind.id, None, Form::Whole)?.iter();
        let named = listed.filter(|object| fields.iter().any(|field| object.text(field) == Some(class)));
        Ok(named.map(|object| Seen { resource: kind, object }).collect())
    })
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
