//! The finding that admission is an obstacle: its text, evidence and remedies.

use crate::facts::{Facts, Known};
use crate::findings::admission::exception::{engine, except};
use crate::findings::admission::parameter::{asked_for, parameter, parameter_in_words, place_of_parameter};
use crate::findings::services::repairs;
use crate::kubernetes::admission::installer::whose;
use crate::kubernetes::admission::obstacle::{is_in_a_file, name_in};
use crate::kubernetes::admission::{Admission, Gate, Obstacle, Operation, Proof};
use crate::kubernetes::messages::admission::Words;
use crate::kubernetes::messages::reason;
use crate::kubernetes::namespaces::is_closed;
use crate::kubernetes::services;
use crate::kubernetes::services::{Backend, ServiceName, Verdict};
use crate::needs::{Draft, Waiting};
use crate::plan::steps::relax_policy_binding::Relax;
use crate::plan::{quote, steps};
use crate::report::{Cause, Link, Ref, Remedy, Risk, Sentence, objects_in_words};
use crate::survey::{Object, brief};
use serde_json::Value;

/// How many webhooks of a configuration are checked before it is called dead.
const MAX_ENTRIES: usize = 20;
/// The field with the namespace controller's failure.
const FAILURE: &str = "status.conditions[NamespaceDeletionContentFailure]";
/// How many characters of a reason the summary contains; the evidence has all of it.
const MAX_REASON: usize = 160;

/// The finding about `obstacle`.
pub(crate) fn draft(obstacle: &Obstacle<'_>, facts: &Facts<'_>) -> Known<Draft> {
    let refs: Vec<Ref> = obstacle.objects.iter().map(|seen| (*seen).into()).collect();
    let (what, rest) = summary(obstacle, &refs, facts);
    let mut draft = Draft::new(Cause::Admission, refs[0].clone(), what.then(&rest));
    if let [finalizer] = &obstacle.finalizers[..] {
        draft = draft.finalizer(finalizer).rest(Waiting { rest, ..Waiting::default() });
    }
    draft = draft.waits_for(waits_for(obstacle, facts));
    if !is_proven(obstacle) {
        draft = draft.likely();
    }
    draft = with_evidence(draft, obstacle, &refs, facts)?;
    if obstacle.is_unanswered() && obstacle.gate.is_some_and(|gate| gate.stops_controllers(facts)) {
        draft = draft.remark("it is also called for the tokens of Kubernetes' own controllers, so their work stops");
    }
    draft = draft.with_each(&obstacle.backend, |draft, backend| draft.chain(backend.chain.clone()));
    Ok(draft.remedies(look_again(obstacle)).remedies(remedies(obstacle, &refs, facts)?).objects(refs))
}

/// Whether the finding is proven. The server's own answer proves which gate refuses, but not that it would
/// refuse every other client.
fn is_proven(obstacle: &Obstacle<'_>) -> bool {
    let one = obstacle.others.is_empty();
    match (&obstacle.proof, &obstacle.words) {
        (Proof::Dead | Proof::Stale { .. } | Proof::Told { may_be_over: true, .. }, _) | (_, None) => false,
        // A webhook that answers now will answer the next request, too. A denial is known only from a message that
        // anybody may have written.
        (Proof::Met { .. } | Proof::Said { .. }, Some(words)) => {
            let broken = || obstacle.backend.as_ref().is_some_and(|backend| backend.verdict == Verdict::Broken);
            one && words.is_unanswered() && broken()
        }
        (Proof::Told { .. }, _) | (_, Some(Words::Unanswered { .. } | Words::Changed { .. } | Words::PutBack)) => one,
        (Proof::Tried { .. }, Some(Words::Denied { .. } | Words::Policy { .. })) => {
            one && obstacle.gate.is_some_and(|gate| !gate.may_look_at_who_asks())
        }
    }
}

/// The first part of the summary, about the refusal, and the rest of the line.
fn summary(obstacle: &Obstacle<'_>, refs: &[Ref], facts: &Facts<'_>) -> (Sentence, Sentence) {
    let objects = objects_in_words(refs);
    let these = |words: &str| match refs {
        [only] => Sentence::about(only, words),
        _ => format!("{objects} {words}").into(),
    };
    let who = who(obstacle);
    let deletion = obstacle.operation == Operation::Delete;
    let said = matches!(obstacle.proof, Proof::Said { .. });
    let what = match &obstacle.finalizers[..] {
        _ if obstacle.operation == Operation::Create => these("gets no pods"),
        _ if said => format!("the controller of {objects} cannot do its work").into(),
        _ if deletion => these("cannot be deleted"),
        [] if obstacle.part == "status" => format!("the kubelet cannot confirm the end of {objects}").into(),
        [] => these("cannot be changed"),
        [finalizer] => format!("finalizer {finalizer} cannot be removed from {objects}").into(),
        _ => format!("no finalizer can be removed from {objects}").into(),
    };
    let refuses = || {
        Sentence::from(match obstacle.operation {
            Operation::Create => format!("{who} refuses the pods of {objects}"),
            Operation::Delete => format!("{who} refuses the deletion of {objects}"),
            Operation::Update if said => format!("{who} refuses a request of the controller of {objects}"),
            Operation::Update => format!("{who} refuses the removal of a finalizer from {objects}"),
        })
    };
    let in_its_words = |message: &str| Sentence::from(": ").then(Sentence::quoted(brief(message, MAX_REASON), &who));
    match &obstacle.words {
        None | Some(Words::Unanswered { .. }) => {
            (what, Sentence::from(format!(": {who} cannot be called: ")).then(why_silent(obstacle)))
        }
        Some(words) if words.lacks_parameter() => {
            (refuses(), format!(": {} does not exist", parameter_in_words(obstacle, facts)).into())
        }
        Some(Words::Denied { message, .. } | Words::Policy { message, .. })
            if matches!(obstacle.proof, Proof::Stale { .. }) =>
        {
            let past = format!("{who} refused the deletion of {objects}; a trial deletion is accepted now");
            (past.into(), in_its_words(message))
        }
        Some(Words::Denied { message, .. } | Words::Policy { message, .. }) => (refuses(), in_its_words(message)),
        Some(Words::Changed { .. }) => (what, format!(": {who} changes an immutable field in every update").into()),
        Some(Words::PutBack) => (what, format!(": {who} adds it again in every update").into()),
    }
}

/// `webhook NAME` or `policy NAME`.
fn who(obstacle: &Obstacle<'_>) -> String {
    let named = |gate: &Gate<'_>| match gate {
        Gate::Webhook { .. } => format!("webhook {}", gate.name()),
        Gate::Policy { .. } => format!("policy {}", gate.name()),
    };
    match (&obstacle.gate, &obstacle.words) {
        (Some(gate), _) if !obstacle.others.is_empty() && !matches!(obstacle.proof, Proof::Told { .. }) => {
            format!("{} or another of {}", named(gate), obstacle.others.len() + 1)
        }
        (Some(gate), _) => named(gate),
        (None, Some(Words::Unanswered { webhook, .. } | Words::Denied { webhook, .. })) => format!("webhook {webhook}"),
        (None, Some(Words::Policy { policy, .. })) => format!("policy {policy}"),
        (None, _) => "admission".into(),
    }
}

/// The first broken link behind a webhook.
fn broken<'o>(obstacle: &'o Obstacle<'_>) -> Option<&'o Link> {
    obstacle.backend.as_ref().filter(|backend| backend.verdict == Verdict::Broken).and_then(Backend::broken)
}

/// Why a webhook does not answer, by the first broken link or the server's message.
fn why_silent(obstacle: &Obstacle<'_>) -> Sentence {
    match (broken(obstacle), &obstacle.words) {
        (Some(link), _) => link.clause(),
        (None, Some(Words::Unanswered { cause, .. })) => brief(cause, MAX_REASON).into(),
        _ => "it does not answer".into(),
    }
}

fn waits_for(obstacle: &Obstacle<'_>, facts: &Facts<'_>) -> Option<Ref> {
    let lacks = obstacle.words.as_ref().is_some_and(Words::lacks_parameter);
    let parameter = lacks.then(|| parameter(obstacle, facts)).flatten();
    parameter.or_else(|| obstacle.gate.map(|gate| gate.reference()))
}

/// The unread kinds of registrations that may contain the gate.
fn hidden(obstacle: &Obstacle<'_>, facts: &Facts<'_>) -> Known<Vec<String>> {
    let admission = Admission::read(facts)?;
    if obstacle.words.as_ref().is_some_and(is_in_a_file) {
        return Ok(Vec::new());
    }
    Ok(admission.may_be_in(obstacle.words.as_ref()).into_iter().map(str::to_owned).collect())
}

fn with_evidence(mut draft: Draft, obstacle: &Obstacle<'_>, refs: &[Ref], facts: &Facts<'_>) -> Known<Draft> {
    draft = match &obstacle.proof {
        Proof::Tried { object, .. } if obstacle.words == Some(Words::PutBack) => draft.evidence(
            "a trial removal of the finalizer (dry run) is accepted, but the finalizer is still there",
            object,
            "metadata.finalizers",
        ),
        Proof::Tried { object, message } => {
            let tried = if obstacle.operation == Operation::Delete { "deletion" } else { "removal of the finalizer" };
            let source = format!("the API server's answer to a dry run, {object}");
            let refused = Sentence::from(format!("a trial {tried} (dry run) is refused: "));
            draft
                .evidence(refused.then(Sentence::quoted(message, &source)), object, "")
                .quoting(Sentence::quoted(reason(message), source), Some(object))
        }
        Proof::Told { namespace, message, may_be_over } => {
            let draft = draft.message(message, namespace, FAILURE);
            if *may_be_over { draft.remark("it is not known whether it is still refused") } else { draft }
        }
        Proof::Met { workload, field: "events", message } => {
            draft.evidence(Sentence::quoted(message, format_args!("{workload} events")), workload, "events")
        }
        Proof::Met { workload, field, message } => draft.message(message, workload, field),
        Proof::Said { object, message } => draft.evidence(Sentence::quoted(message, object), object, ""),
        Proof::Stale { namespace, message } => draft
            .message(message, namespace, FAILURE)
            .remark("a trial deletion (dry run) is accepted now: the namespace controller tries again in at most 60 s"),
        Proof::Dead => draft,
    };
    if obstacle.operation == Operation::Delete && !obstacle.objects[0].object.is_deleting() {
        draft = draft.evidence("is not being deleted yet", &refs[0], "metadata.deletionTimestamp");
    }
    let Some(gate) = &obstacle.gate else {
        let hidden = hidden(obstacle, facts)?;
        return Ok(draft.remark(if obstacle.words.as_ref().is_some_and(is_in_a_file) {
            "its name says that it is in a file on the control plane: the API neither shows nor changes it".to_owned()
        } else if hidden.is_empty() {
            "no configuration in this cluster contains it: it is in a file on the control plane, or was just removed"
                .to_owned()
        } else {
            format!("its configuration is not known: {} could not be read", hidden.join(" and "))
        }));
    };
    for gate in std::iter::once(gate).chain(&obstacle.others) {
        draft = registered(draft, gate, obstacle);
    }
    Ok(draft)
}

/// Adds the registration, and its owner.
fn registered(draft: Draft, gate: &Gate<'_>, obstacle: &Obstacle<'_>) -> Draft {
    let reference = gate.reference();
    let operation = obstacle.operation;
    let these = match (obstacle.part, obstacle.objects.first()) {
        _ if operation == Operation::Create => "its pods".to_owned(),
        _ if matches!(obstacle.proof, Proof::Said { .. }) => "what its rules match".to_owned(),
        ("", _) | (_, None) => "these".to_owned(),
        (part, Some(first)) => format!("{}/{part}", first.resource.id.plural),
    };
    let draft = match gate {
        Gate::Webhook { index, .. } => {
            let policy = if gate.fails_closed() { "Fail" } else { "Ignore" };
            let text = format!(
                "webhook {} {} {} of {these}; timeout {} s, failurePolicy {policy}",
                gate.name(),
                if gate.is_conditional() { "is called, if its matchConditions are met, for" } else { "is called for" },
                operation.word(),
                gate.timeout()
            );
            draft.evidence(text, &reference, &format!("webhooks[{index}]"))
        }
        Gate::Policy { policy, .. } => {
            let judges = if gate.mutates() { "changes" } else { "judges" };
            let only_if = if gate.is_conditional() { ", if its matchConditions are met," } else { "" };
            let text = format!(
                "binds policy {}, which {judges}{only_if} {} of {these}",
                policy.object.name(),
                operation.word()
            );
            let draft = draft.evidence(text, &reference, "spec");
            if gate.denies() {
                draft
            } else {
                draft.evidence(
                    "only audits or warns, but the error in its policy still denies the request",
                    &reference,
                    "spec.validationActions",
                )
            }
        }
    };
    let whose = whose(&gate.registration().object.metadata);
    draft.with_each(whose, |draft, whose| draft.evidence(whose, &reference, "metadata"))
}

fn remedies(obstacle: &Obstacle<'_>, refs: &[Ref], facts: &Facts<'_>) -> Known<Vec<Remedy>> {
    let Some(gate) = obstacle.gate else {
        let hidden = hidden(obstacle, facts)?;
        if !hidden.is_empty() {
            let lists: Vec<&str> = hidden.iter().map(|kind| kind.split('.').next().unwrap_or(kind)).collect();
            return Ok(vec![Remedy::command(
                "run this again as a user who may read them (--as, --context), or ask such a user to",
                format_args!("kubectl get {} -o yaml", quote(&lists.join(","))),
                "nothing is lost",
            )]);
        }
        if let Some(words) = obstacle.words.as_ref().filter(|words| is_in_a_file(words)) {
            return Ok(vec![ask_who_runs_it(words)]);
        }
        return Ok(vec![Remedy::manual(
            "find it in the admission configuration of the API server, a file on the control plane: \
            --admission-control-config-file",
            "nothing is lost",
        )]);
    };
    match &obstacle.words {
        None | Some(Words::Unanswered { .. }) => silent(gate, obstacle, facts),
        Some(_) if !obstacle.is_certain() => Ok(vec![look(gate, obstacle)]),
        Some(Words::Changed { .. } | Words::PutBack) => Ok(changed(gate, obstacle, refs)),
        Some(words) => Ok(denied(gate, words, refs, facts, obstacle)),
    }
}

/// The remedy for a refusal by a file on the control plane.
pub(crate) fn ask_who_runs_it(words: &Words) -> Remedy {
    let who = name_in(words).unwrap_or("the file");
    Remedy::manual(
        format!("do what {who} asks for, or ask those who run the control plane to change its file there"),
        "nothing is lost",
    )
}

/// The remedies for a refusal that has ended: the namespace controller must try again.
fn look_again(obstacle: &Obstacle<'_>) -> Vec<Remedy> {
    let Proof::Stale { namespace, .. } = &obstacle.proof else { return Vec::new() };
    vec![
        Remedy::manual("wait: the namespace controller tries again in at most 60 seconds", "nothing is lost"),
        Remedy::new(
            steps::nudge_namespace::step(namespace),
            Risk::Harmless,
            "its controller tries again within 5 seconds, and reports it if the request is still refused",
        ),
    ]
}

/// The consequence once a webhook answers again.
const RESTORED: &str = "nothing is lost; waiting objects then continue";

/// The remedies for a webhook that does not answer: repair it, ignore its failures, or delete it if nothing
/// of it can come back.
fn silent(gate: Gate<'_>, obstacle: &Obstacle<'_>, facts: &Facts<'_>) -> Known<Vec<Remedy>> {
    let Gate::Webhook { configuration, index, entry } = gate else { return Ok(Vec::new()) };
    let reference = gate.reference();
    let left_over = obstacle.backend.as_ref().is_some_and(Backend::is_left_over);
    let mut remedies = match &obstacle.backend {
        Some(backend) if !left_over && obstacle.is_certain() => repairs(backend, RESTORED, facts)?,
        _ => Vec::new(),
    };
    if !left_over && remedies.is_empty() {
        remedies.push(Remedy::manual(repair(entry, obstacle), RESTORED));
    }
    if !obstacle.is_certain() {
        remedies.push(look(gate, obstacle));
        return Ok(remedies);
    }
    if gate.fails_closed() {
        remedies.push(Remedy::new(
            steps::ignore_webhook::step(&reference, index, gate.name()),
            Risk::Disruptive,
            "requests are accepted unchecked while it does not answer; set it to Fail again afterwards",
        ));
    }
    if left_over && all_left_over(configuration.object, facts)? {
        remedies.push(Remedy::new(
            steps::delete_webhook_configuration::step(&reference, configuration.object),
            Risk::Disruptive,
            "its backend no longer exists; installing the product again creates it again",
        ));
    }
    Ok(remedies)
}

/// The remedy if only a message that anybody may have written names the gate: check, and change
/// nothing.
fn look(gate: Gate<'_>, obstacle: &Obstacle<'_>) -> Remedy {
    let names = match &obstacle.proof {
        Proof::Said { object, .. } => format!("the words on {object}"),
        Proof::Met { workload, .. } => format!("the words on {workload}"),
        Proof::Told { namespace, .. } | Proof::Stale { namespace, .. } => format!("the conditions of {namespace}"),
        Proof::Tried { .. } | Proof::Dead => "the words of a refusal".to_owned(),
    };
    Remedy::command(
        format!("check whether {} really refuses this request, and do what its message says", who(obstacle)),
        format_args!("kubectl get {} -o yaml", quote(&gate.reference().kubectl())),
        format!(
            "nothing is lost; it is named only by {names}, which others can write, so no step that weakens it is \
            offered"
        ),
    )
}

fn repair(entry: &Value, obstacle: &Obstacle<'_>) -> Sentence {
    let text = |pointer: &str| entry.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
    if let (None, Some(Words::Unanswered { cause, .. })) = (broken(obstacle), &obstacle.words)
        && brief(cause, MAX_REASON).contains("x509")
    {
        let renew = "renew its certificate or caBundle; installing its product again does that";
        return format!("{renew}: {}", brief(cause, MAX_REASON)).into();
    }
    match text("/clientConfig/url") {
        "" => Sentence::from("repair its backend").by(format_args!(
            "kubectl -n {} get service,endpointslices,pods",
            quote(text("/clientConfig/service/namespace"))
        )),
        url => format!("check why {url} does not answer the API server").into(),
    }
}

/// Whether no webhook of a configuration can come back by itself.
fn all_left_over(configuration: &Object, facts: &Facts<'_>) -> Known<bool> {
    let entries = configuration.array("/webhooks");
    if entries.len() > MAX_ENTRIES {
        return Ok(false);
    }
    let mut all = true;
    let mut reads = Vec::new();
    for entry in entries {
        let service = entry.pointer("/clientConfig/service").filter(|service| !service.is_null());
        let Some(service) = service else { return Ok(false) };
        let text = |field: &str| service.get(field).and_then(Value::as_str).unwrap_or_default();
        let name = ServiceName {
            namespace: text("namespace"),
            name: text("name"),
            port: service.get("port").and_then(Value::as_i64).unwrap_or(443),
            registration: Some(&configuration.metadata),
        };
        reads.push(services::of(&name, facts));
    }
    for read in reads {
        all &= read?.is_left_over();
    }
    Ok(all)
}

/// The remedies for a webhook or policy that refuses by design: comply with it, or exempt this namespace. It
/// stays in force for all others.
fn denied(gate: Gate<'_>, words: &Words, refs: &[Ref], facts: &Facts<'_>, obstacle: &Obstacle<'_>) -> Vec<Remedy> {
    let mut remedies = Vec::new();
    let lacks = words.lacks_parameter();
    let elsewhere = place_of_parameter(obstacle, facts).filter(|place| lacks && is_closed(place, facts));
    remedies.push(if let Some(place) = elsewhere {
        Remedy::manual(
            format!(
                "change the binding to use a parameter elsewhere: nothing can be created in namespace {place} any more"
            ),
            "nothing is lost: the policy works again",
        )
    } else if lacks {
        let what = match parameter(obstacle, facts) {
            Some(parameter) => format!("{parameter} again"),
            None => parameter_in_words(obstacle, facts),
        };
        Remedy::manual(format!("create {what}"), "nothing is lost: the policy works again")
    } else if let (Gate::Policy { policy, .. }, true) = (gate, words.is_own_error()) {
        Remedy::command(
            "repair its expression, which fails instead of deciding, or set failurePolicy to Ignore",
            format_args!("kubectl edit {}", quote(&Ref::from(policy).kubectl())),
            "nothing is lost: the policy works again",
        )
    } else {
        Remedy::manual(asked_for(&who(obstacle), obstacle, facts), "nothing is lost: it then releases the object")
    });
    let exempt = except(gate, refs, obstacle.operation);
    // If the webhook looks up an object that is gone, nobody can comply with it: the exemption comes first.
    let is_lost = matches!(words, Words::Denied { message, .. } if message.contains("\" not found"));
    let place = if is_lost { 0 } else { remedies.len() };
    remedies.splice(place..place, exempt);
    let Gate::Policy { binding, .. } = gate else { return remedies };
    if lacks && binding.object.text("/spec/paramRef/parameterNotFoundAction") == Some("Deny") {
        remedies.push(Remedy::new(
            steps::relax_policy_binding::step(&gate.reference(), Relax::MissingParameter, binding.object),
            Risk::Disruptive,
            "while its parameter is missing, the policy checks nothing in the whole cluster",
        ));
    } else if !gate.mutates() && gate.denies() {
        remedies.push(Remedy::new(
            steps::relax_policy_binding::step(&gate.reference(), Relax::Denial, binding.object),
            Risk::Disruptive,
            "the binding allows what the policy forbids until it is set back to Deny",
        ));
    }
    remedies
}

/// The remedies for a webhook that changes immutable fields.
fn changed(gate: Gate<'_>, obstacle: &Obstacle<'_>, refs: &[Ref]) -> Vec<Remedy> {
    let kind = obstacle.objects.first().map(|seen| seen.resource.id.to_string()).unwrap_or_default();
    let registration: Ref = match gate {
        Gate::Webhook { .. } => gate.reference(),
        Gate::Policy { policy, .. } => policy.into(),
    };
    let mut remedies: Vec<Remedy> = engine(gate).into_iter().collect();
    remedies.push(Remedy::command(
        format!("remove UPDATE of {kind} from the rules of {}", who(obstacle)),
        format_args!("kubectl edit {}", quote(&registration.kubectl())),
        "nothing is lost: its work on new objects continues",
    ));
    remedies.extend(except(gate, refs, obstacle.operation));
    remedies
}
