//! A `CustomResourceDefinition` that is being deleted stays until its last instance is gone, in any
//! namespace. Anything that blocks the instances blocks it, too.

use crate::facts::{Facts, Known, OwnedFinalizer, Target, asked_ago, is_late};
use crate::findings::state::with_finalizers;
use crate::kubernetes::definitions::{CLEANUP, Definition, Instances, has_begun, stranded, versions};
use crate::kubernetes::past_obstacle::{CONTROLLER, PastObstacle};
use crate::needs::{Draft, Explains, Findings, Rule};
use crate::plan::{self, one, quote};
use crate::report::{Cause, Ref, Remedy, Sentence, Verb, objects_in_words};
use crate::survey::{Reason, Seen, Unread};
use jiff::SignedDuration;
use std::collections::BTreeSet;

pub(super) const RULE: Rule =
    Rule::new("crd-waits-for-instances", include_str!("crd_waits_for_instances.md"), &[Explains::Deleted(diagnose)])
        .owns(&[OwnedFinalizer::new("customresourcedefinitions.apiextensions.k8s.io", CLEANUP)]);

/// How long the API server checks every few seconds after each attempt.
const LOOKS_FOR: SignedDuration = SignedDuration::from_secs(60);

/// How many instances are shown as evidence.
const MAX_SHOWN: usize = 3;

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    let Some(definition) = Definition::is(target.seen).filter(|it| it.object().is_deleting()) else { return Ok(()) };
    if !definition.object().metadata.finalizers.iter().any(|key| key == CLEANUP) {
        return Ok(());
    }
    let late = has_begun(definition.object(), facts);
    match definition.instances(facts)? {
        Instances::Listed(all) if all.is_empty() && late => {
            found.add(nothing_left(definition, mended(definition, facts)?, facts));
        }
        Instances::Listed(all) => {
            let (going, idle): (Vec<_>, Vec<_>) = all.into_iter().partition(|seen| seen.object.is_deleting());
            if !going.is_empty() {
                // Another rule reports instances in namespaces that do not exist.
                let lost = stranded(&going, facts)?;
                going.iter().filter(|seen| lost.contains(seen.object.uid())).for_each(|seen| found.follow(*seen));
                found.add(waits(definition, &going, idle.len(), facts));
            } else if late && !idle.is_empty() {
                found.add(not_asked(definition, &idle, mended(definition, facts)?));
            }
        }
        Instances::Unread { why, .. } if why.reason == Reason::NotServed => found.add(goes(definition, &why)),
        Instances::Unread { what, why } if late => {
            facts.note_unread(what, &why);
            let explained = versions::is_about_versions(&why);
            let draft = unlisted(definition, format!("its instances cannot be listed: {why}"));
            found.add(if explained { draft.underway() } else { draft });
        }
        Instances::Unserved if late => {
            let text = "no version of it is served, so its instances cannot be listed".to_owned();
            found.add(unlisted(definition, text).likely().remedy(serve_again(definition)));
        }
        Instances::Unread { .. } | Instances::Unserved => {}
    }
    Ok(())
}

/// The obstacle to the deletion of the instances, if it ended only a moment ago, so that the API server
/// need not have tried again.
fn mended(definition: Definition<'_>, facts: &Facts<'_>) -> Known<Option<PastObstacle>> {
    let asked = definition.object().deletion_asked().unwrap_or_default();
    Ok(versions::past(definition, facts)?.filter(|past| past.is_fresh(asked, CONTROLLER, facts)))
}

/// A draft about the definition, with the API server's condition about the deletion of its instances.
fn begin(cause: Cause, definition: Definition<'_>, what: &str) -> Draft {
    let object = definition.reference();
    let summary = Sentence::about(&object, what);
    let draft = Draft::new(cause, object.clone(), summary).finalizer(CLEANUP).needs_accepted(Verb::Update);
    match definition.object().condition("Terminating") {
        Some(condition) => draft.message(&condition.says(), &object, "status.conditions[Terminating]"),
        None => draft.evidence("the API server has not started to delete its instances", &object, "status.conditions"),
    }
}

fn waits(definition: Definition<'_>, going: &[Seen<'_>], idle: usize, facts: &Facts<'_>) -> Draft {
    let refs: Vec<Ref> = going.iter().map(|seen| (*seen).into()).collect();
    let mut draft = begin(Cause::Crd, definition, &format!("waits for {}", counted(definition, &refs))).underway();
    if let [only] = &refs[..] {
        draft = draft.waits_for(only.clone());
    }
    for (seen, reference) in going.iter().zip(&refs).take(MAX_SHOWN) {
        draft = draft.evidence(state(*seen, facts), reference, "metadata.deletionTimestamp");
    }
    if idle > 0 {
        draft = draft.remark(format!("{idle} more not being deleted yet"));
    }
    draft
        .remark(
            "while it is terminating, instances can be updated but not created: their operator can be installed \
            again to release them",
        )
        .remedy(release_first(definition))
}

fn state(seen: Seen<'_>, facts: &Facts<'_>) -> String {
    let asked = asked_ago(seen.object, facts);
    format!("{} has been terminating for {asked}{}", Ref::from(seen), with_finalizers(seen.object))
}

fn idle_words(seen: Seen<'_>) -> String {
    match &seen.object.metadata.finalizers[..] {
        [] => format!("{} is not being deleted yet", Ref::from(seen)),
        keys => format!("{} is not being deleted yet, and has finalizer {}", Ref::from(seen), keys.join(", ")),
    }
}

/// `Widget shop/one`, or `12 widgets in 3 namespaces`.
fn counted(definition: Definition<'_>, refs: &[Ref]) -> String {
    let namespaces: BTreeSet<&str> = refs.iter().filter_map(|object| object.namespace.as_deref()).collect();
    let all = format!("{} {}", refs.len(), definition.says("/names/plural"));
    match (refs, namespaces.len()) {
        ([_], _) => objects_in_words(refs),
        (_, 0) => all,
        (_, 1) => format!("{all} in namespace {}", namespaces.first().copied().unwrap_or_default()),
        (_, several) => format!("{all} in {several} namespaces"),
    }
}

/// The finding for instances that are not being deleted. The API server deletes them itself, without any
/// webhook, so only its own failure can prevent that.
fn not_asked(definition: Definition<'_>, idle: &[Seen<'_>], mended: Option<PastObstacle>) -> Draft {
    let refs: Vec<Ref> = idle.iter().map(|seen| (*seen).into()).collect();
    let cause = if mended.is_some() { Cause::Progressing } else { Cause::Crd };
    let what = format!("waits for {}, not deleted yet{}", counted(definition, &refs), until(mended));
    begin(cause, definition, &what)
        .likely()
        .evidence(idle_words(idle[0]), &refs[0], "metadata.deletionTimestamp")
        .remedy(Remedy::command(
            "check what the API server says about it",
            format_args!(
                "kubectl get crd {} -o jsonpath='{{.status.conditions[?(@.type==\"Terminating\")]}}'",
                quote(definition.object().name())
            ),
            "nothing is lost; it tries again by itself, at most 17 minutes after a failure",
        ))
        .remedy(release_first(definition))
}

fn until(mended: Option<PastObstacle>) -> String {
    mended.map(|it| format!("; {}", it.says())).unwrap_or_default()
}

/// The finding for a definition without instances. The API server checks every 5 seconds for a minute,
/// and then after a pause that grows with each failure (kubernetes/kubernetes:
/// `staging/src/k8s.io/apiextensions-apiserver/pkg/controller/finalizer/crd_finalizer.go`).
fn nothing_left(definition: Definition<'_>, mended: Option<PastObstacle>, facts: &Facts<'_>) -> Draft {
    let name = quote(definition.object().name());
    let soon = facts.wrote() || !is_late(definition.object(), facts, LOOKS_FOR) || mended.is_some();
    let cause = if soon { Cause::Progressing } else { Cause::Crd };
    let what = format!("has no instances left, but the API server has not checked again yet{}", until(mended));
    begin(cause, definition, &what).likely().remark("its kind was listed in all namespaces: nothing is left").remedy(
        Remedy::command(
            "wait a minute, or annotate it",
            format_args!("kubectl annotate crd {name} --overwrite unstick.dev/nudged-at=now"),
            "nothing is lost: the annotation is deleted with the definition",
        ),
    )
}

/// The finding for a definition whose kind is no longer served: it is about to be deleted.
fn goes(definition: Definition<'_>, why: &Unread) -> Draft {
    begin(Cause::Progressing, definition, "is no longer served: it is about to be deleted")
        .likely()
        .remark(format!("its instances: {why}"))
        .remedy(Remedy::manual("wait, and check again in a minute", "nothing is lost"))
}

fn unlisted(definition: Definition<'_>, why: String) -> Draft {
    begin(Cause::Crd, definition, "waits for instances that cannot be listed").remark(why).remedy(Remedy::command(
        format!("do not remove its finalizer {CLEANUP}; first repair the API until this answers"),
        format_args!("kubectl get {} -A", quote(definition.object().name())),
        "nothing is lost; if you removed the finalizer by hand, the instances would stay in etcd and come back with \
        the next install",
    ))
}

fn serve_again(definition: Definition<'_>) -> Remedy {
    let index = definition.versions().position(|version| Some(version) == definition.storage()).unwrap_or_default();
    let patch = serde_json::json!([{"op": "replace", "path": format!("/spec/versions/{index}/served"), "value": true}]);
    Remedy::command(
        "serve its stored version again",
        plan::patch(&one("crd", definition.object().name()), &patch),
        "nothing is lost; what is left in it is then reported",
    )
}

fn release_first(definition: Definition<'_>) -> Remedy {
    Remedy::command(
        "release the instances first",
        format_args!("kubectl get {} -A", quote(definition.object().name())),
        format!("if you remove {CLEANUP} by hand, the instances stay in etcd and come back with the next install"),
    )
}
