//! Admission: the webhooks and policies that a deletion or a change must pass, whether they
//! can answer, and what they have answered.
//!
//! `Admission::read` reads what is registered. [`removals()`] and [`deletions()`] find the
//! parts of a target that it holds up, proven by the server's answer to a dry run or to the
//! namespace controller. [`creation`] finds the gate that leaves a workload without pods,
//! [`met`] the gate that refuses a request of a controller.

#![expect(clippy::missing_errors_doc, reason = "`Known` says when it fails")]

mod changed;
mod creations;
mod deletions;
mod identity;
pub(crate) mod installer;
mod matching;
pub(crate) mod obstacle;
mod parts;
mod removals;
mod reported;
mod trials;

pub use changed::{definition_changes, is_changed_on_the_way};
pub use creations::creation;
pub use deletions::{Deletions, deletions, trial_deletions, unanswered_updates};
pub use matching::{Kind, Match, Operation};
pub(crate) use matching::{selects, strings};
pub use obstacle::{Obstacle, Proof};
pub use parts::status_updates;

use crate::survey::{Form, Object, Resource, ResourceId, Seen, Unread};
pub use removals::{removals, trial_removals};
pub use reported::met;
pub(crate) use reported::{overtaken, perhaps_overtaken};

use crate::facts::{All, Facts, Gap, Known, Readable, each, flat_each};
use crate::kubernetes::messages::admission::{INVALID, Words, is_about_a_change};
use crate::kubernetes::past_obstacle::PastObstacle;
use crate::kubernetes::services;
use crate::kubernetes::services::{Backend, ServiceName};
use crate::report::{NoteSubject, Ref};
use serde_json::Value;
use std::collections::HashMap;

pub(crate) const GROUP: &str = "admissionregistration.k8s.io";
/// The timeout of a webhook, in seconds, if it sets none.
const DEFAULT_TIMEOUT: i64 = 10;

/// A webhook or policy that is asked before a request is carried out.
#[derive(Debug, Clone, Copy)]
pub enum Gate<'s> {
    /// One entry of a webhook configuration.
    Webhook {
        /// The webhook configuration.
        configuration: Seen<'s>,
        /// The index of the entry in it.
        index: usize,
        /// The entry.
        entry: &'s Value,
    },
    /// A policy, by one of its bindings.
    Policy {
        /// The policy.
        policy: Seen<'s>,
        /// The binding.
        binding: Seen<'s>,
    },
}

/// Equal keys are one gate.
pub type GateKey<'s> = (&'s str, &'s str, usize);

impl<'s> Gate<'s> {
    /// The registration: the webhook configuration, or the policy's binding.
    pub(crate) fn registration(&self) -> Seen<'s> {
        match self {
            Self::Webhook { configuration, .. } => *configuration,
            Self::Policy { binding, .. } => *binding,
        }
    }

    /// A reference to the registration.
    pub(crate) fn reference(&self) -> Ref {
        self.registration().into()
    }

    /// The name by which the API server calls it in errors.
    pub(crate) fn name(&self) -> &'s str {
        match self {
            Self::Webhook { entry, .. } => text(entry, "/name"),
            Self::Policy { policy, .. } => policy.object.name(),
        }
    }

    /// The key of this gate.
    pub(crate) fn key(&self) -> GateKey<'s> {
        let registration = self.registration();
        let index = if let Self::Webhook { index, .. } = self { *index } else { 0 };
        (registration.resource.id.plural.as_str(), registration.object.name(), index)
    }

    /// Whether it may change the objects of requests.
    pub(crate) fn mutates(&self) -> bool {
        self.registration().resource.id.plural.starts_with("mutating")
    }

    /// Whether a request is refused when the gate cannot be called.
    pub(crate) fn fails_closed(&self) -> bool {
        self.spec().is_none_or(|spec| text(spec, "/failurePolicy") != "Ignore")
    }

    /// How long the API server waits for a webhook, in seconds.
    pub(crate) fn timeout(&self) -> i64 {
        match self {
            Self::Webhook { entry, .. } => {
                entry.get("timeoutSeconds").and_then(Value::as_i64).unwrap_or(DEFAULT_TIMEOUT)
            }
            Self::Policy { .. } => 0,
        }
    }

    /// Whether its decision may depend on who sends the request. That of a webhook always may.
    pub(crate) fn may_look_at_who_asks(&self) -> bool {
        match self {
            Self::Webhook { .. } => true,
            Self::Policy { policy, .. } => {
                let spec = policy.object.at("/spec").map(Value::to_string).unwrap_or_default();
                spec.contains("userInfo") || spec.contains("authorizer")
            }
        }
    }

    /// Whether its match depends on an expression, which only the API server evaluates.
    pub(crate) fn is_conditional(&self) -> bool {
        self.spec().is_some_and(|spec| matching::conditions(spec) == Match::Perhaps)
    }

    /// The entry of a webhook, or the spec of a policy.
    fn spec(&self) -> Option<&'s Value> {
        match self {
            Self::Webhook { entry, .. } => Some(entry),
            Self::Policy { policy, .. } => policy.object.at("/spec"),
        }
    }

    /// Whether its rules match requests of this kind.
    fn is_about(&self, kind: Kind<'_>, facts: &Facts<'_>) -> bool {
        let about = |of: Option<&Value>, field: &str| {
            let exact = of.is_some_and(|of| text(of, "/matchPolicy") == "Exact");
            matching::rules_match(rules(of, field), exact, kind, facts.discovery())
        };
        match self {
            Self::Webhook { entry, .. } => about(Some(entry), "rules"),
            Self::Policy { policy, binding } => {
                let (constraints, resources) =
                    (policy.object.at("/spec/matchConstraints"), binding.object.at("/spec/matchResources"));
                let narrowed = !rules(resources, "resourceRules").is_empty();
                about(constraints, "resourceRules") && (!narrowed || about(resources, "resourceRules"))
            }
        }
    }

    /// Whether it matches this object, given that its rules match the kind.
    fn takes(&self, kind: Kind<'_>, object: &Object, namespace: Option<&Object>, facts: &Facts<'_>) -> Match {
        match self {
            Self::Webhook { entry, .. } => {
                let selected = matching::selected(entry, kind.resource, object, namespace);
                if selected { matching::conditions(entry) } else { Match::No }
            }
            Self::Policy { policy, binding } => {
                let of = [policy.object.at("/spec/matchConstraints"), binding.object.at("/spec/matchResources")];
                let taken = of.into_iter().flatten().all(|of| {
                    let named = rules(Some(of), "resourceRules");
                    let excluded = rules(Some(of), "excludeResourceRules");
                    matching::selected(of, kind.resource, object, namespace)
                        && (named.is_empty() || matching::names_match(named, object))
                        && !(matching::rules_match(excluded, false, kind, facts.discovery())
                            && matching::names_match(excluded, object))
                });
                if taken { self.spec().map_or(Match::Yes, matching::conditions) } else { Match::No }
            }
        }
    }

    /// The Service of a webhook; `None` if it is called by URL, and for a policy, which the API server
    /// evaluates itself.
    fn service(&self) -> Option<ServiceName<'s>> {
        let Self::Webhook { configuration, entry, .. } = self else { return None };
        let service = entry.pointer("/clientConfig/service").filter(|service| !service.is_null())?;
        Some(ServiceName::read(service, &configuration.object.metadata))
    }

    /// Whether it is called before a controller of Kubernetes gets its token: then no controller works
    /// while it does not answer.
    pub(crate) fn stops_controllers(&self, facts: &Facts<'_>) -> bool {
        let accounts = facts.preferred("", "serviceaccounts");
        self.fails_closed()
            && accounts.is_some_and(|resource| {
                self.is_about(Kind { resource, subresource: "token", operation: Operation::Create }, facts)
            })
    }

    /// The namespace and the name of a webhook's Service.
    pub(crate) fn service_behind(&self) -> Option<(&'s str, &'s str)> {
        self.service().map(|service| (service.namespace, service.name))
    }

    /// The Service of a webhook, as `namespace/name`.
    pub(crate) fn backend_name(&self) -> Option<String> {
        self.service().map(|service| format!("{}/{}", service.namespace, service.name))
    }

    /// The index of a webhook in its configuration.
    pub(crate) fn index(&self) -> Option<usize> {
        if let Self::Webhook { index, .. } = self { Some(*index) } else { None }
    }

    /// The objects among `objects` that it matches or may match; `kind` gives the kind of request for
    /// each.
    pub(crate) fn asked_about<'o>(
        &self,
        objects: &[Seen<'o>],
        kind: impl Fn(Seen<'o>) -> Kind<'o>,
        facts: &Facts<'o>,
    ) -> Known<Vec<Seen<'o>>> {
        let mut about: HashMap<&ResourceId, bool> = HashMap::new();
        flat_each(objects, |seen| {
            let request = kind(*seen);
            if !*about.entry(&seen.resource.id).or_insert_with(|| self.is_about(request, facts)) {
                return Ok(None);
            }
            let place = place_of(seen.object, facts)?;
            Ok((self.takes(request, seen.object, place, facts) != Match::No).then_some(*seen))
        })
    }

    /// The backend of a webhook; `None` for a policy, and for a webhook that is called by URL.
    pub(crate) fn backend(&self, facts: &Facts<'s>) -> Known<Option<Backend<'s>>> {
        self.service().map(|service| services::of(&service, facts)).transpose()
    }

    /// The time since which it has blocked no request: a webhook's backend answers, or the
    /// registration was changed to what it is now. `None` if that cannot be seen.
    pub(crate) fn mended(&self, facts: &Facts<'s>) -> Known<Option<PastObstacle>> {
        let (was, until) = if self.fails_closed() {
            let Some(backend) = self.backend(facts)? else { return Ok(None) };
            ("could not be called", services::answers_since(&backend, facts)?)
        } else {
            let whole = facts.whole(self.registration()).if_readable()?.flatten();
            let written = whole.and_then(|it| it.managers().filter_map(|manager| manager.time).max());
            ("had failurePolicy Fail", written)
        };
        Ok(until.map(|until| PastObstacle { was: format!("webhook {} {was}", self.name()), until }))
    }

    /// Whether its binding denies requests: one that only warns or audits blocks nothing.
    pub(crate) fn denies(&self) -> bool {
        match self {
            Self::Webhook { .. } => true,
            Self::Policy { binding, .. } if self.mutates() => binding.object.at("/spec").is_some(),
            Self::Policy { binding, .. } => {
                binding.object.array("/spec/validationActions").iter().any(|it| it == "Deny")
            }
        }
    }

    /// Whether it may deny because its parameter is missing, whatever its binding does otherwise
    /// (kubernetes/kubernetes:
    /// `staging/src/k8s.io/apiserver/pkg/admission/plugin/policy/validating/dispatcher.go`).
    fn may_lack_parameter(&self) -> bool {
        let Self::Policy { policy, binding } = self else { return false };
        let wants = policy.object.at("/spec/paramKind").is_some_and(|kind| !kind.is_null());
        wants && (self.fails_closed() || binding.object.text("/spec/paramRef/parameterNotFoundAction") == Some("Deny"))
    }
}

fn rules<'a>(of: Option<&'a Value>, field: &str) -> &'a [Value] {
    of.and_then(|of| of.get(field)).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn text<'a>(value: &'a Value, pointer: &str) -> &'a str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

/// All webhooks and policies that are registered.
#[derive(Debug)]
pub struct Admission<'f, 's> {
    facts: &'f Facts<'s>,
    gates: Vec<Gate<'s>>,
    /// The kinds of registrations that could not be read.
    unread: Vec<String>,
}

impl<'f, 's> Admission<'f, 's> {
    /// Reads the webhook configurations, the policies and their bindings. Notes lists that cannot be
    /// read.
    pub(crate) fn read(facts: &'f Facts<'s>) -> Known<Self> {
        Self::read_and(facts, |what, why| facts.note_unread(what.clone(), why))
    }

    /// Like [`Self::read`], for a mere hint: an unread list is not noted.
    pub(crate) fn glance(facts: &'f Facts<'s>) -> Known<Self> {
        Self::read_and(facts, |_, _| {})
    }

    fn read_and(facts: &'f Facts<'s>, note: impl Fn(&NoteSubject, &Unread)) -> Known<Self> {
        let mut unread = Vec::new();
        let mut list = |plural: &str| {
            Ok(list(plural, facts).surveyed()?.unwrap_or_else(|Gap { what, why }| {
                note(&what, &why);
                unread.push(what.to_string());
                Vec::new()
            }))
        };
        let webhooks = flat_each(["validatingwebhookconfigurations", "mutatingwebhookconfigurations"], &mut list);
        let policies = each(
            [
                ("validatingadmissionpolicies", "validatingadmissionpolicybindings"),
                ("mutatingadmissionpolicies", "mutatingadmissionpolicybindings"),
            ],
            |(policies, bindings)| (list(policies), list(bindings)).all(),
        );
        let (webhooks, policies) = (webhooks, policies).all()?;
        let mut gates: Vec<Gate<'s>> = webhooks.into_iter().flat_map(entries).collect();
        gates.extend(policies.iter().flat_map(|(policies, bindings)| bound(policies, bindings)));
        gates.retain(|gate| gate.denies() || gate.may_lack_parameter());
        Ok(Self { facts, gates, unread })
    }

    /// The unread kinds of registrations that may contain the gate that `words` name.
    pub(crate) fn may_be_in(&self, words: Option<&Words>) -> Vec<&str> {
        let mark = match words {
            Some(Words::Unanswered { .. } | Words::Denied { .. }) => "webhookconfigurations",
            Some(Words::Policy { .. }) => "admissionpolic",
            Some(Words::Changed { .. } | Words::PutBack) | None => "",
        };
        self.unread.iter().map(String::as_str).filter(|kind| kind.contains(mark)).collect()
    }

    /// All gates.
    pub(crate) fn gates(&self) -> impl Iterator<Item = Gate<'s>> {
        self.gates.iter().copied()
    }

    /// The gates whose rules match requests of this kind, whatever the object.
    pub(crate) fn about(&self, kind: Kind<'_>) -> Vec<Gate<'s>> {
        self.gates().filter(|gate| gate.is_about(kind, self.facts)).collect()
    }

    /// The gates that match a request for this object.
    pub(crate) fn asked(&self, kind: Kind<'_>, object: &Object) -> Known<Vec<Gate<'s>>> {
        self.asked_among(&self.about(kind), kind, object)
    }

    /// The gates that match a request for this object, among those whose rules do.
    pub(crate) fn asked_among(&self, gates: &[Gate<'s>], kind: Kind<'_>, object: &Object) -> Known<Vec<Gate<'s>>> {
        if gates.is_empty() {
            return Ok(Vec::new());
        }
        let place = place_of(object, self.facts)?;
        Ok(gates.iter().copied().filter(|gate| gate.takes(kind, object, place, self.facts) != Match::No).collect())
    }
}

fn list<'s>(plural: &str, facts: &Facts<'s>) -> Known<Vec<Seen<'s>>> {
    let Some(resource) = facts.preferred(GROUP, plural) else { return Ok(Vec::new()) };
    let objects = facts.list(&resource.id, None, Form::Whole)?;
    Ok(objects.iter().map(|object| Seen { resource, object }).collect())
}

fn entries(configuration: Seen<'_>) -> impl Iterator<Item = Gate<'_>> {
    let entries = configuration.object.array("/webhooks").iter().enumerate();
    entries.map(move |(index, entry)| Gate::Webhook { configuration, index, entry })
}

fn bound<'s>(policies: &[Seen<'s>], bindings: &[Seen<'s>]) -> Vec<Gate<'s>> {
    let by_name: HashMap<&str, Seen<'s>> = policies.iter().map(|policy| (policy.object.name(), *policy)).collect();
    let policy_of = |binding: &Seen<'s>| by_name.get(binding.object.text("/spec/policyName")?).copied();
    let gate = |binding: &Seen<'s>| Some(Gate::Policy { policy: policy_of(binding)?, binding: *binding });
    bindings.iter().filter_map(gate).collect()
}

/// The namespace of an object, whose labels decide whether a gate matches.
///
/// # Errors
/// When it was not surveyed yet. If it cannot be read, that is noted, and its labels are assumed to
/// match.
pub(crate) fn place_of<'s>(object: &Object, facts: &Facts<'s>) -> Known<Option<&'s Object>> {
    let Some(name) = object.metadata.namespace.as_deref() else { return Ok(None) };
    Ok(facts.metadata(&ResourceId::new("", "v1", "namespaces"), None, name).or_note(facts)?.flatten())
}

/// The gates that may refuse the deletion of an object to one user and allow it to another: first
/// the policies that depend on who asks, then the webhooks, for which that is unknown.
pub(crate) fn may_refuse_some<'s>(seen: Seen<'s>, facts: &Facts<'s>) -> Known<Vec<Gate<'s>>> {
    let mut asked = Admission::read(facts)?.asked(kind(seen.resource, Operation::Delete), seen.object)?;
    asked.retain(|gate| gate.denies() && gate.may_look_at_who_asks());
    asked.sort_by_key(|gate| matches!(gate, Gate::Webhook { .. }));
    Ok(asked)
}

/// The kind of requests for the objects themselves, without a subresource.
pub(crate) fn kind(resource: &Resource, operation: Operation) -> Kind<'_> {
    Kind { resource, subresource: "", operation }
}
