//! An aggregated API that does not answer blocks the deletion of every namespace: the namespace
//! controller must find each group empty before it finalizes a namespace.

use crate::facts::{All, Facts, Known, Readable, SETTLE, Target, each, flat_each, since};
use crate::findings::aggregation::{every_namespace, request, with_background, with_remedies};
use crate::kubernetes::aggregation::Registrar;
use crate::kubernetes::definitions::Definition;
use crate::kubernetes::services::{Backend, Verdict};
use crate::kubernetes::{aggregation, services};
use crate::needs::{Draft, Explains, Findings, Outlook, Phase, Rule, World};
use crate::plan::{alone, in_namespace, one, quote};
use crate::report::{Cause, Link, LinkState, Ref, Remedy, Sentence, Turn};
use crate::survey::{Condition, Object, Seen};

pub(super) const RULE: Rule = Rule::new(
    "apiservice-unavailable",
    include_str!("apiservice_unavailable.md"),
    &[Explains::Listed(diagnose), Explains::Serving(|_, facts| findings(facts)), Explains::Foreseen(foresee)],
);

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    if !target.is_deleting() || found.is_following() {
        return Ok(());
    }
    // A single object, or a namespace that no longer waits for its content, waits for no API.
    if target.namespace_being_emptied().is_some() {
        found.add_all(findings(facts)?);
    }
    Ok(())
}

/// Every cause of an unavailable API in the cluster, each with its chain and its remedies.
///
/// # Errors
/// When something was not surveyed yet, or the `APIService`s cannot be read.
fn findings(facts: &Facts<'_>) -> Known<Vec<Draft>> {
    let by_backend = aggregation::unavailable(facts)?;
    if by_backend.is_empty() {
        return Ok(Vec::new());
    }
    let looked = flat_each(by_backend.values(), |apis| look(apis, facts).if_readable());
    let (waiting, looked) = (aggregation::terminating(facts), looked).all()?;
    each(looked, |looked| looked.draft(waiting, facts))
}

/// Unavailable APIs with one backend, and the findings about it.
struct FailedBackend<'a, 's> {
    apis: &'a [Seen<'s>],
    backend: Backend<'s>,
    registrar: Option<Registrar>,
}

fn look<'a, 's>(apis: &'a Vec<Seen<'s>>, facts: &Facts<'s>) -> Known<FailedBackend<'a, 's>> {
    let backend = services::of(&aggregation::service(apis[0].object), facts);
    let (mut backend, registrar) = (backend, aggregation::registrar(apis[0], facts)).all()?;
    go_on(&mut backend, apis[0].object, facts)?;
    let says =
        condition(apis[0].object).map_or("has no condition yet".into(), |it| format!("unavailable: {}", it.reason()));
    let mut head = Link::new(apis[0].into(), LinkState::Affected, says);
    let whole = backend.chain.iter().all(|link| link.state == LinkState::Fine);
    if whole && condition(apis[0].object).is_some() {
        head.state = LinkState::Broken;
        head.text = "marked unavailable, but its server answers again: the API server checks every 30 s".into();
    }
    backend.chain.insert(0, head);
    Ok(FailedBackend { apis, backend, registrar })
}

fn condition(api: &Object) -> Option<Condition<'_>> {
    api.condition("Available")
}

/// The kind of failure that the API server met when it called the backend (kubernetes/kubernetes:
/// `staging/src/k8s.io/kube-aggregator/pkg/controllers/status/remote/remote_available_controller.go`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Met {
    /// It does not accept the certificate.
    Certificate,
    /// No answer in time, or no route.
    Silence,
    /// No program listens.
    Refused,
    /// The answer is an error, or any other failure.
    Answer,
}

impl Met {
    fn of(message: &str) -> Self {
        let any = |words: &[&str]| words.iter().any(|word| message.contains(word));
        if any(&["x509:", "tls:", "certificate"]) {
            Self::Certificate
        } else if any(&["connection refused", "connection reset"]) {
            Self::Refused
        } else if any(&[
            "timed out", "timeout", "Timeout", "deadline exceeded", "no route to host", "network is unreachable",
            "No agent available", "no agent available",
        ]) {
            Self::Silence
        } else {
            Self::Answer
        }
    }
}

/// Adds the way to the pod and the answer, if addresses are ready and the API server still gets no
/// good answer.
fn go_on<'s>(backend: &mut Backend<'s>, api: &Object, facts: &Facts<'s>) -> Known {
    let failed = condition(api).filter(|condition| condition.reason() == "FailedDiscoveryCheck");
    let Some(failed) = failed.filter(|_| backend.verdict != Verdict::Broken) else { return Ok(()) };
    let met = Met::of(failed.message());
    if met == Met::Silence {
        let tunnel = services::tunnel(facts);
        services::route(backend, facts)?;
        let tunnel = tunnel?;
        if backend.verdict == Verdict::Broken {
            return Ok(());
        }
        let down = tunnel.as_ref().is_some_and(|link| link.state == LinkState::Broken);
        backend.chain.extend(tunnel);
        if down {
            return Ok(());
        }
    }
    let path = format!("/apis/{}", aggregation::group_version(api));
    backend.chain.push(request("Discovery", &path, met.words(error_of(failed.message()))));
    Ok(())
}

/// The cause in `failing or missing response from URL: Get "URL": why`: the last part.
fn error_of(message: &str) -> &str {
    let rest = message.strip_prefix("failing or missing response from ").unwrap_or(message);
    let rest = rest.split_once(": ").map_or(rest, |(_, why)| why);
    rest.strip_prefix("Get \"").and_then(|rest| rest.split_once("\": ")).map_or(rest, |(_, why)| why)
}

impl Met {
    fn words(self, error: &str) -> String {
        match self {
            Self::Answer => error.to_owned(),
            met => format!("{}: {error}", met.name()),
        }
    }

    /// The failure without details.
    fn in_short(self, error: &str) -> &str {
        match self {
            Self::Answer => error.split_once(": ").map_or(error, |(what, _)| what),
            met => met.name(),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Certificate => "its certificate is not accepted",
            Self::Silence => "it does not answer in time",
            Self::Refused => "nothing listens on its port",
            Self::Answer => "it does not answer like an API",
        }
    }

    /// Advice on what to check.
    fn advice(self, api: &Ref, path: &str, backend: &Backend<'_>) -> Sentence {
        let (service, place) = (&backend.service, in_namespace(&backend.service));
        let advice = match self {
            Self::Certificate => Sentence::from(format!(
                "set spec.caBundle of APIService {} to the CA that signs its \
                server's certificate, which must be for {}.{}.svc",
                api.name,
                service.name,
                service.namespace.as_deref().unwrap_or_default()
            ))
            .by(format_args!("kubectl get {} -o yaml", one("apiservice", &api.name))),
            Self::Silence => Sentence::from(format!("check why {service} does not answer"))
                .by(format_args!("kubectl get networkpolicies,endpointslices{place}"))
                .by("kubectl -n kube-system get pods -o wide | grep -e konnectivity -e kube-proxy"),
            Self::Refused => Sentence::from(format!("check whether its pods listen on the target port of {service}"))
                .by(format_args!("kubectl get service,endpointslices{place} -o yaml")),
            Self::Answer => {
                Sentence::from("check why it answers like this").by(format_args!("kubectl get --raw {}", quote(path)))
            }
        };
        match backend.a_ready_pod() {
            Some(pod) => advice.by(format_args!("kubectl logs{place} {}", alone("pod", pod))),
            None => advice,
        }
    }
}

impl FailedBackend<'_, '_> {
    fn draft(self, waiting: Option<usize>, facts: &Facts<'_>) -> Known<Draft> {
        let Self { apis, backend, registrar } = self;
        let refs: Vec<Ref> = apis.iter().map(|api| (*api).into()).collect();
        let (verb, plural) = if refs.len() == 1 { ("is", "") } else { ("are", "s") };
        let names: Vec<&str> = refs.iter().map(|api| api.name.as_str()).collect();
        let met = condition(apis[0].object).map_or((Met::Answer, ""), |it| (Met::of(it.message()), it.message()));
        let why = backend.broken().filter(|link| link.object != refs[0]).map(|link| because(link, met));
        let summary = Sentence::from(format!("APIService{plural} {} {verb} unavailable", names.join(", ")));
        let summary = summary.then(why.unwrap_or_default());
        let draft = Draft::new(Cause::Api, refs[0].clone(), summary).waits_for(backend.service.clone());
        let mut draft = if backend.is_assumed { draft.likely() } else { draft };
        for (api, reference) in apis.iter().zip(&refs) {
            let says = condition(api.object).map_or("no condition yet".into(), Condition::says);
            draft = draft.message(&says, reference, "status.conditions[Available]");
        }
        draft = draft.remark(every_namespace(waiting));
        draft = with_background(draft, apis[0], registrar.as_ref());
        let left_over = is_left_over(&backend, registrar.as_ref(), apis, facts);
        let why = backend.why_left_over().filter(|_| left_over);
        draft = draft.with_each(why, |draft, why| draft.remark(format!("left over: {why}")));
        if backend.broken().is_some_and(|link| link.object.kind == "Discovery") {
            let path = format!("/apis/{}", aggregation::group_version(apis[0].object));
            let advice = met.0.advice(&refs[0], &path, &backend);
            draft = draft
                .remedy(Remedy::manual(advice, "nothing is lost; namespace deletions then continue by themselves"));
        }
        let draft = with_remedies(draft, &backend, &refs, left_over, facts)?;
        Ok(draft.chain(backend.chain).objects(refs))
    }
}

/// `: Deployment kube-system/metrics-server is scaled to 0 replicas`
fn because(link: &Link, (met, message): (Met, &str)) -> Sentence {
    let because = match link.object.kind.as_str() {
        // The chain has the whole text.
        "Discovery" => format!(": {}", met.in_short(error_of(message))),
        "Namespace" if link.object.missing => format!(": its Service and namespace {} do not exist", link.object.name),
        "Namespace" => format!(": its server ran in namespace {}, which is itself being deleted", link.object.name),
        "Permission" => format!(": there is no {}", link.object.to_string().replacen('P', "p", 1)),
        "CloudAPI" | "RouteController" => ": its node has no route".to_owned(),
        _ => return Sentence::from(": ").then(link.clause()),
    };
    because.into()
}

/// Whether the API may be deleted without loss. A Service in a namespace that is being deleted does not
/// come back; one that is only missing may be about to be created.
fn is_left_over(backend: &Backend<'_>, registrar: Option<&Registrar>, apis: &[Seen<'_>], facts: &Facts<'_>) -> bool {
    let going = backend.broken().is_some_and(|link| link.object.kind == "Namespace" && !link.object.missing);
    let settled = going || apis.iter().all(|api| unavailable_for_long(api.object, facts));
    let comes_back = registrar.is_some_and(|registrar| registrar.is_there);
    backend.is_left_over() && backend.service.missing && settled && !comes_back
}

/// Whether it has been unavailable for longer than an installation takes from its first object to its
/// last.
fn unavailable_for_long(api: &Object, facts: &Facts<'_>) -> bool {
    let condition = condition(api).filter(|condition| condition.status() == "False");
    condition.and_then(Condition::since).is_some_and(|then| since(then, facts.now()) > SETTLE * 2)
}

/// Foresees aggregated APIs whose server is in a namespace that is deleted: they stay registered, and
/// the deletion of every namespace waits for them, including this one.
fn foresee(target: &Target<'_>, world: &World<'_>, facts: &Facts<'_>, out: &mut Outlook) -> Known {
    let going = world.going;
    let is_service = |seen: &Seen<'_>| seen.resource.id.is("", "services");
    // An object of an installer has Services among its content.
    let takes_service = || world.content().is_ok_and(|content| content.iter().any(is_service));
    if !target.is_namespace() && Definition::is(target.seen).is_none() && !is_service(&target.seen) && !takes_service()
    {
        return Ok(());
    }
    for api in aggregation::served_from(|namespace, service| going.serves(namespace, service), facts)? {
        let reference = Ref::from(api);
        // APIs that are deleted, too, are in the order already.
        if going.takes(&reference) {
            continue;
        }
        let service = aggregation::service(api.object);
        let turn = Turn::registration(
            api,
            format!("its server is deleted with {}", going.place(service.namespace, service.name)),
            "requests for this API fail until it is registered again; its objects stay on its server",
            world.cost(&api, facts),
        );
        // An API that does not answer now is reported already.
        if out.names(Cause::Api, &reference) {
            out.first(Phase::Registrations, turn);
            continue;
        }
        let served = format!("Service {}/{}", service.namespace, service.name);
        let summary = format!(
            "APIService {} would stay but no longer answer: its {served} would be deleted first",
            reference.name
        );
        let draft = Draft::new(Cause::Api, reference.clone(), summary)
        .evidence(format!("served by {served}"), &reference, "spec.service")
        .remark(
            "while an API cannot be listed, no namespace is known to be empty: the deletion of every namespace would \
            wait",
        )
        .likely();
        out.hangs_unless(draft, Phase::Registrations, turn);
    }
    Ok(())
}
