//! A namespace's `spec.finalizers` has another entry besides `kubernetes`: only its owner, or a PUT to
//! the `finalize` subresource, removes it.

use crate::facts::{Facts, Known, SETTLE, Target, for_each, is_late};
use crate::knowledge::catalogue;
use crate::needs::{Draft, Explains, Findings, Rule, Waiting};
use crate::plan::steps;
use crate::report::{Cause, Remedy, Risk};
use crate::survey::is_collectors;

pub(super) const RULE: Rule =
    Rule::new("namespace-spec-finalizer", include_str!("namespace_spec_finalizer.md"), &[Explains::Deleted(diagnose)]);

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    if !target.is_namespace() || !is_late(target.object(), facts, SETTLE) {
        return Ok(());
    }
    let namespace = target.reference();
    let entries = target.object().array("/spec/finalizers").iter().filter_map(serde_json::Value::as_str);
    for_each(entries.filter(|key| *key != "kubernetes"), |finalizer| {
        let owner = finalizer.split('/').next().unwrap_or(finalizer);
        let summary = format!("{namespace} waits for {finalizer} in its spec.finalizers");
        let draft = Draft::new(Cause::NamespaceFinalizer, namespace.clone(), summary)
            .finalizer(finalizer)
            .rest(Waiting { rest: " in its spec.finalizers".into(), ..Waiting::default() })
            .evidence(format!("spec.finalizers contains {finalizer}"), &namespace, "spec.finalizers")
            .in_summary();
        // No program of Kubernetes takes its own words for metadata.finalizers off here.
        let has_owner = !is_collectors(finalizer);
        let draft = draft.remedies(has_owner.then(|| {
            let title = format!("bring back the controller of {owner}, which removes the entry");
            Remedy::manual(title, "nothing is lost: it does its own clean-up")
        }));
        found.add(with_finalize(draft, target, finalizer, facts)?);
        Ok(())
    })
}

/// Adds the removal of the entry, if the namespace was read and is empty.
fn with_finalize(draft: Draft, target: &Target<'_>, finalizer: &str, facts: &Facts<'_>) -> Known<Draft> {
    let content = facts.sweep(target.object().name())?;
    let (left, unread) = (content.objects.len(), content.unread.len());
    if left > 0 || unread > 0 || !facts.discovery().stale.is_empty() {
        return Ok(draft.remark(format!(
            "not offered for removal yet: objects left in the namespace: {left}, kinds not read: {unread}"
        )));
    }
    if !steps::finalize_namespace::was_looked_into(target.object()) {
        return Ok(draft
            .remark("not offered for removal yet: the namespace controller has not processed it since its deletion"));
    }
    let step = steps::finalize_namespace::step(&target.reference(), finalizer);
    let entry = catalogue::lookup(finalizer).filter(|_| !is_collectors(finalizer));
    let (risk, consequence) = entry.map_or(
        (Risk::Leaks, "whatever the controller of the entry would have cleaned up outside the namespace stays"),
        |entry| (entry.risk, entry.if_removed),
    );
    let removal = Remedy::new(step, risk, consequence);
    Ok(draft.remark("every kind in the namespace was listed: nothing is left in it").remedy(removal))
}
