//! The server could not look into an API group just now, though no APIService
//! says that it is unavailable: discovery of that group fails all the same.

use super::Rule;
use crate::diagnosis::{Cause, Draft, Facts, Findings, Known, Ref, SETTLE, Target, Unknown, is_late};
use crate::plan::{Remedy, quote};
use crate::survey::Form;

pub(super) const RULE: Rule = Rule { name: NAME, explanation: include_str!("discovery_stale.md"), diagnose };
/// The rule's name.
pub(crate) const NAME: &str = "discovery-stale";

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    if target.namespace_being_emptied().is_none() || !is_late(target.object(), facts, SETTLE) {
        return Ok(());
    }
    findings(facts)?.into_iter().for_each(|draft| found.add(draft));
    Ok(())
}

/// Every API that the server cannot look into though it passes for available.
///
/// # Errors
/// When something was not surveyed yet.
pub(crate) fn findings(facts: &Facts<'_>) -> Known<Vec<Draft>> {
    let unavailable = super::apiservice_unavailable::groups(facts)?;
    let mut found = Vec::new();
    for group_version in facts.discovery().stale.iter().filter(|stale| !unavailable.contains(*stale)) {
        let api = api_service(group_version, facts)?;
        let read = !api.uid.is_empty() || api.missing;
        let available =
            if api.missing { "there is no such APIService" } else { "the Available condition does not mention it" };
        let draft = Draft::new(Cause::Api, api.clone(), format!("the server cannot look into API {group_version}"))
            .remark(format!("discovery gives nothing for {group_version}"))
            .remark("every namespace deletion in this cluster waits until it can")
            .remedy(Remedy::manual(
                format!("see what it answers: kubectl get --raw {}", quote(&format!("/apis/{group_version}"))),
                "nothing is lost; namespaces go on by themselves",
            ));
        found.push(if read { draft.evidence(available, &api, "status.conditions[Available]") } else { draft.likely() });
    }
    Ok(found)
}

fn api_service(group_version: &str, facts: &Facts<'_>) -> Known<Ref> {
    let (group, version) = group_version.split_once('/').unwrap_or(("", group_version));
    let name = format!("{version}.{group}");
    let named = Ref {
        api_version: "apiregistration.k8s.io/v1".into(),
        kind: "APIService".into(),
        resource: "apiservices".into(),
        name,
        ..Ref::default()
    };
    let Some(resource) = facts.discovery().preferred("apiregistration.k8s.io", "apiservices") else { return Ok(named) };
    Ok(match facts.list(&resource.id, None, Form::Whole) {
        Ok(listed) => listed
            .iter()
            .find(|api| api.name() == named.name)
            .map_or_else(|| named.clone().missing(), |api| Ref::of(resource, api)),
        Err(Unknown::NotSurveyed) => return Err(Unknown::NotSurveyed),
        Err(Unknown::Unread { .. }) => named,
    })
}
