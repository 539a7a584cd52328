//! Findings about aggregated APIs: the registrar, the waiting deletions, and the remedies.

use crate::facts::{Facts, Known};
use crate::findings::services::repairs;
use crate::knowledge::apis;
use crate::kubernetes::aggregation::Registrar;
use crate::kubernetes::services::{Backend, Verdict};
use crate::needs::Draft;
use crate::plan::{quote, steps};
use crate::report::{Link, LinkState, Named, Ref, Remedy, Risk, Sentence};
use crate::survey::Seen;

/// The sentence that every namespace deletion waits for the API, with the number of those under way.
pub(crate) fn every_namespace(waiting: Option<usize>) -> String {
    let waits = "every namespace deletion in this cluster waits for it";
    match waiting {
        Some(0) => "every namespace deletion in this cluster would wait for it; none is under way".to_owned(),
        Some(count) => format!("{waits} ({count} now)"),
        None => waits.to_owned(),
    }
}

/// Adds the common part of these findings: the registrar and the product of the API.
pub(crate) fn with_background(draft: Draft, api: Seen<'_>, registrar: Option<&Registrar>) -> Draft {
    let group = api.object.text("/spec/group").unwrap_or_default();
    let known = apis::known(group).map(|api| format!("{group}: {api}"));
    let by = registrar.map(|registrar| registrar.text.clone());
    let said = [by, known].into_iter().flatten().collect::<Vec<_>>();
    if said.is_empty() { draft } else { draft.remark(said.join("; ")) }
}

/// The last link of a chain: the request to the server behind it.
pub(crate) fn request(what: &str, path: &str, says: impl Into<Sentence>) -> Link {
    let object = Ref::from(Named { kind: what.into(), name: path.into(), ..Named::default() });
    Link::new(object, LinkState::Broken, says)
}

/// Adds the remedies: repairs first, if there is something to repair. A leftover may be deleted at once.
pub(crate) fn with_remedies(
    draft: Draft,
    backend: &Backend<'_>,
    apis: &[Ref],
    left_over: bool,
    facts: &Facts<'_>,
) -> Known<Draft> {
    let (risk, consequence) = if left_over {
        (
            Risk::Harmless,
            "its Service does not exist, so nothing can use it; installing the product again creates it again",
        )
    } else {
        (
            Risk::Disruptive,
            "clients of this API get errors until it is registered again; the objects behind it are not deleted with \
            the namespace",
        )
    };
    let names: Vec<&str> = apis.iter().map(|api| api.name.as_str()).collect();
    let deletions = apis.iter().map(|api| steps::delete_api_service::step(api, &backend.service));
    let several = format!("delete APIServices {}", names.join(", "));
    let delete = Remedy::of_all(deletions, several, risk, consequence);
    if left_over {
        return Ok(draft.remedies(delete));
    }
    let repairs = repairs(backend, "nothing is lost; namespace deletions then continue by themselves", facts)?;
    let mut draft = draft.remedies(repairs);
    let unknown = backend.verdict == Verdict::Unknown;
    if unknown {
        let namespace = quote(backend.service.namespace.as_deref().unwrap_or_default());
        let look = format!("kubectl -n {namespace} get service,endpointslices,pods");
        draft = draft.remedy(Remedy::command("ask somebody who may see it", look, "nothing is lost"));
    }
    // An API whose server exists, or may exist, is repaired and not deleted.
    if backend.is_wanted || unknown || backend.verdict == Verdict::Answers {
        let names: Vec<String> = names.into_iter().map(quote).collect();
        let title = Sentence::from("delete its APIServices, if the product is no longer wanted")
            .by(format_args!("kubectl delete apiservice {}", names.join(" ")));
        return Ok(draft.remedy(Remedy::manual(title, consequence)));
    }
    // A server that may still be starting gets time.
    Ok(if backend.starting { draft } else { draft.remedies(delete) })
}
