//! The server could not discover an API group just now, though no APIService is reported as
//! unavailable.

use crate::facts::{Facts, Known, Readable, SETTLE, Target, each, is_late};
use crate::findings::aggregation::request;
use crate::kubernetes::aggregation::unavailable_groups;
use crate::kubernetes::services::Verdict;
use crate::kubernetes::{aggregation, services};
use crate::needs::{Draft, Explains, Findings, Rule};
use crate::plan::quote;
use crate::report::{Cause, Link, LinkState, Named, Need, Ref, Remedy};
use crate::survey::Form;

pub(super) const RULE: Rule = Rule::new(
    "discovery-stale",
    include_str!("discovery_stale.md"),
    &[Explains::Listed(diagnose), Explains::Serving(|_, facts| findings(facts))],
);

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    if target.namespace_being_emptied().is_none() || !is_late(target.object(), facts, SETTLE) {
        return Ok(());
    }
    found.add_all(findings(facts)?);
    Ok(())
}

/// Every API that is reported as available and that the server cannot discover.
fn findings(facts: &Facts<'_>) -> Known<Vec<Draft>> {
    let unavailable = unavailable_groups(facts)?;
    each(facts.discovery().stale.iter().filter(|stale| !unavailable.contains(*stale)), |group_version| {
        let api = api_service(group_version, facts)?;
        let read = !api.uid.is_empty() || api.missing;
        let available =
            if api.missing { "there is no such APIService" } else { "the Available condition does not mention it" };
        let path = format!("/apis/{group_version}");
        // The need is that the API answers, whether its APIService exists or not.
        let answers = Need::Serving(api.clone().with_uid(""));
        let draft = Draft::new(Cause::Api, api.clone(), format!("the server cannot list API group {group_version}"))
            .explains(answers)
            .remark(format!("discovery returns nothing for {group_version}"))
            .remark("every namespace deletion in this cluster waits until the server can list it")
            .remedy(Remedy::command(
                "check what it answers",
                format_args!("kubectl get --raw {}", quote(&path)),
                "nothing is lost; namespace deletions then continue by themselves",
            ));
        let draft = draft
            .with_each(behind(&api, &path, facts)?, |draft, (service, chain)| draft.waits_for(service).chain(chain));
        Ok(if read { draft.quoted(available, &api, "status.conditions[Available]") } else { draft.likely() })
    })
}

/// The Service behind an aggregated API, and the chain down to the answer that the API server cannot
/// use.
fn behind(api: &Ref, path: &str, facts: &Facts<'_>) -> Known<Option<(Ref, Vec<Link>)>> {
    let aggregated = aggregation::aggregated(facts).if_readable()?.unwrap_or_default();
    let Some(seen) = aggregated.into_iter().find(|seen| seen.object.uid() == api.uid) else { return Ok(None) };
    let backend = services::of(&aggregation::service(seen.object), facts)?;
    let mut chain = vec![Link::new(api.clone(), LinkState::Fine, "Available")];
    chain.extend(backend.chain.iter().cloned());
    if backend.verdict != Verdict::Broken {
        chain.push(request("Discovery", path, "lists no resources, although its availability check passes"));
    }
    Ok(Some((backend.service, chain)))
}

fn api_service(group_version: &str, facts: &Facts<'_>) -> Known<Ref> {
    let (group, version) = group_version.split_once('/').unwrap_or(("", group_version));
    let name = format!("{version}.{group}");
    let named = Ref::from(Named {
        api_version: "apiregistration.k8s.io/v1".into(),
        kind: "APIService".into(),
        resource: "apiservices".into(),
        name,
        ..Named::default()
    });
    let Some(resource) = facts.preferred("apiregistration.k8s.io", "apiservices") else { return Ok(named) };
    let Some(listed) = facts.list(&resource.id, None, Form::Whole).if_readable()? else { return Ok(named) };
    let api = listed.iter().find(|api| api.name() == named.name);
    Ok(api.map_or_else(|| named.missing(), |api| Ref::of(resource, api)))
}
