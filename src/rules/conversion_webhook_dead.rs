//! Objects of a kind are stored in one version and requested in another, and the webhook that
//! converts them does not answer: no client can read the kind, including the namespace
//! controller.

use crate::facts::{All, Facts, Known, Target, each, for_each};
use crate::findings::services::repairs as repairs_of;
use crate::findings::state::with_finalizers;
use crate::kubernetes::definitions::foreseen::{converted_behind, converted_in};
use crate::kubernetes::definitions::versions::{ConversionFailure, UnreadableKind};
use crate::kubernetes::definitions::{Definition, Instances, versions};
use crate::kubernetes::messages::conversion::refusal;
use crate::kubernetes::services;
use crate::kubernetes::services::Backend;
use crate::needs::{Draft, Explains, Findings, NotRead, Outlook, Phase, Rule, World};
use crate::plan::{quote, steps};
use crate::report::{Cause, Link, Ref, Remedy, Risk, Sentence, Turn, counted, refs};
use crate::survey::Seen;
use serde_json::Value;

pub(super) const RULE: Rule = Rule::new(
    NAME,
    include_str!("conversion_webhook_dead.md"),
    &[Explains::Listed(diagnose), Explains::Readable(for_unread), Explains::Foreseen(foresee)],
);

pub(super) const NAME: &str = "conversion-webhook-dead";

/// How many of the objects that wait are named.
const MAX_SHOWN: usize = 3;

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    let kinds = versions::unreadable(target, facts)?.into_iter().filter(is_of_the_webhook);
    let drafts = each(kinds, |kind| {
        let (left, draft) = (left(target, kind.definition, facts), draft(&kind, facts)).all()?;
        Ok(with_objects(draft, left.as_deref(), found))
    })?;
    found.add_all(drafts);
    Ok(())
}

/// The finding for an object or a kind that cannot be read itself.
fn for_unread(unread: &NotRead<'_>, facts: &Facts<'_>) -> Known<Option<Draft>> {
    let kind = versions::of_kind(unread.kind, unread.why, facts)?.filter(is_of_the_webhook);
    kind.map(|kind| draft(&kind, facts)).transpose()
}

/// Whether the kind cannot be read because of its conversion webhook.
fn is_of_the_webhook(kind: &UnreadableKind<'_>) -> bool {
    matches!(kind.why, ConversionFailure::Webhook | ConversionFailure::Silent)
}

/// The objects of the kind left in a namespace, if they can be read in another version.
fn left<'s>(target: &Target<'s>, definition: Definition<'s>, facts: &Facts<'s>) -> Known<Option<Vec<Seen<'s>>>> {
    let Some(namespace) = target.namespace_being_emptied() else { return Ok(None) };
    versions::readable_otherwise(definition, namespace, facts)
}

/// Names these objects. Their finalizers are followed, too, since they will block next.
fn with_objects(mut draft: Draft, left: Option<&[Seen<'_>]>, found: &mut Findings) -> Draft {
    let Some(left) = left else { return draft };
    for seen in left.iter().take(MAX_SHOWN) {
        let reference = Ref::from(*seen);
        let state = if seen.object.is_deleting() { "being deleted" } else { "not being deleted yet" };
        let held = with_finalizers(seen.object);
        let version = &seen.resource.id.version;
        draft = draft.evidence(format!("left: {reference} (read as {version}), {state}{held}"), &reference, "");
    }
    left.iter().filter(|seen| seen.object.is_deleting()).for_each(|seen| found.follow(*seen));
    draft
}

/// Whether the webhook answers now, and refuses an object.
fn answers(kind: &UnreadableKind<'_>) -> bool {
    kind.now && refusal(&kind.words).is_some()
}

fn draft(kind: &UnreadableKind<'_>, facts: &Facts<'_>) -> Known<Draft> {
    let definition = kind.definition;
    let object = definition.reference();
    let name = definition.object().name();
    let behind = ConversionBackend::of(definition, answers(kind), facts)?;
    let dead = behind.words();
    let summary = Sentence::unread(name).then(" cannot be read: ").then(dead);
    let mut draft =
        Draft::new(Cause::Conversion, object.clone(), summary).explains(kind.need(facts)).remark(&kind.words);
    // The server's own answer, and not a quotation in a condition.
    if kind.now {
        draft = draft.quoting(&kind.words, None);
    }
    draft = draft.evidence(
        format!(
            "strategy Webhook; objects may be stored in {}, new ones in {}",
            definition.stored().join(", "),
            definition.storage().unwrap_or("?")
        ),
        &object,
        "spec.conversion",
    );
    draft = draft.waits_for(behind.waited_for().cloned());
    draft = draft.with_each(&behind.backend, |draft, backend| draft.chain(backend.chain.clone()));
    if kind.why == ConversionFailure::Silent || (!kind.now && behind.broken().is_none()) {
        draft = draft.likely();
    }
    if definition.webhook().is_none() {
        // The strategy was set to None after the failure: the next pass succeeds.
        return Ok(draft.likely().remedy(Remedy::manual("wait, and check again in a minute", "nothing is lost")));
    }
    draft = draft
        .remark("one object in another stored version, in any namespace, prevents controllers from listing the kind");
    let (repairs, elsewhere) = (repairs(&behind, definition, facts), Elsewhere::of(definition, facts));
    draft = draft.remedies(repairs?);
    let elsewhere = elsewhere?;
    // The namespace's condition alone is no proof: anybody who may write it can name any kind.
    if !kind.now && behind.broken().is_none() {
        return Ok(draft);
    }
    Ok(draft.remedy(none(definition, &elsewhere)))
}

/// The backend of the conversion webhook.
struct ConversionBackend<'s> {
    /// The backend of its Service; `None` for a URL.
    backend: Option<Backend<'s>>,
    /// The Service or URL in the configuration.
    named: String,
    /// It answers, and refuses an object.
    answers: bool,
}

impl<'s> ConversionBackend<'s> {
    fn of(definition: Definition<'_>, answers: bool, facts: &Facts<'s>) -> Known<Self> {
        let Some(config) = definition.webhook() else {
            return Ok(Self { backend: None, named: "its conversion webhook".into(), answers });
        };
        let Some(name) = definition.conversion_service() else {
            let url = config.get("url").and_then(Value::as_str).unwrap_or_default();
            return Ok(Self { backend: None, named: format!("its conversion webhook at {url}"), answers });
        };
        let mut backend = services::of(&name, facts)?;
        if backend.verdict == services::Verdict::Answers && !answers {
            services::route(&mut backend, facts)?;
        }
        let named = format!("the conversion webhook behind {}", backend.service);
        Ok(Self { named, backend: Some(backend), answers })
    }

    /// The first link that does not work.
    fn broken(&self) -> Option<&Link> {
        self.backend.as_ref().filter(|_| !self.answers)?.broken()
    }

    /// The object that must be repaired: the missing Service, or the first broken link.
    fn waited_for(&self) -> Option<&Ref> {
        let service = self.service()?;
        let broken = self.broken().filter(|_| !service.missing);
        Some(broken.map_or(service, |link| &link.object))
    }

    fn words(&self) -> Sentence {
        let dead =
            |part, what: Sentence| Sentence::from("its conversion webhook is down: ").then(Sentence::about(part, what));
        match (self.service(), self.broken()) {
            _ if self.answers => format!("{} cannot convert an object", self.named).into(),
            (Some(service), _) if service.missing => dead(service, "does not exist".into()),
            (_, Some(link)) => dead(&link.object, link.text.clone()),
            _ => format!("{} fails", self.named).into(),
        }
    }

    fn service(&self) -> Option<&Ref> {
        self.backend.as_ref().map(|backend| &backend.service)
    }
}

/// The consequence when the webhook answers again.
const RESTORED: &str = "nothing is lost; whatever waits for it then continues by itself within 60 seconds";

fn repairs(behind: &ConversionBackend<'_>, definition: Definition<'_>, facts: &Facts<'_>) -> Known<Vec<Remedy>> {
    let name = quote(definition.object().name());
    if behind.answers {
        return Ok(vec![refused(definition)]);
    }
    let remedies =
        behind.backend.as_ref().map(|backend| repairs_of(backend, RESTORED, facts)).transpose()?.unwrap_or_default();
    if remedies.is_empty() {
        let title = Sentence::from(format!("fix {}; check first what it answers", behind.named))
            .by(format_args!("kubectl get crd {name} -o jsonpath='{{.spec.conversion}}'"));
        return Ok(vec![Remedy::manual(title, RESTORED)]);
    }
    Ok(remedies)
}

/// The remedy if the webhook runs and refuses a stored object, so that its backend is fine. Objects can be read in
/// the version in which they are stored, but neither changed nor deleted.
fn refused(definition: Definition<'_>) -> Remedy {
    let (plural, group) = (definition.says("/names/plural"), definition.says("/group"));
    let stored = definition.stored();
    let old = stored.iter().find(|version| Some(**version) != definition.storage()).or(stored.first());
    let kind = old.map_or_else(|| format!("{plural}.{group}"), |version| format!("{plural}.{version}.{group}"));
    let title = Sentence::from("run a version of the webhook that can convert the object which it refuses")
        .by(format_args!("kubectl get {} -A -o yaml", quote(&kind)));
    Remedy::manual(title, RESTORED)
}

/// The objects of a kind that remain in another version than the storage version.
enum Elsewhere<'s> {
    /// None.
    Nothing,
    /// How many objects there are, in this version.
    Live(usize, &'s str),
    /// Unknown: no version can be listed, since objects are stored in several.
    Uncounted,
}

impl<'s> Elsewhere<'s> {
    /// Counts the remaining objects, without those that are deleted with the targets or are being deleted already. If a
    /// version can be listed without conversion, all objects are stored in it.
    fn of(definition: Definition<'s>, facts: &Facts<'s>) -> Known<Self> {
        let storage = definition.storage();
        let only_there = definition.stored().iter().all(|version| Some(*version) == storage);
        if definition.object().is_deleting() || only_there {
            return Ok(Self::Nothing);
        }
        let Instances::Listed(all) = definition.instances(facts)? else { return Ok(Self::Uncounted) };
        let version = all.first().map(|seen| seen.resource.id.version.as_str());
        let live = all.iter().filter(|seen| !seen.object.is_deleting() && !facts.is_asked_about(**seen)).count();
        Ok(match version {
            Some(version) if live > 0 && Some(version) != storage => Self::Live(live, version),
            _ => Self::Nothing,
        })
    }
}

fn none(definition: Definition<'_>, elsewhere: &Elsewhere<'_>) -> Remedy {
    let shown = definition.object().at("/spec/conversion").unwrap_or(&Value::Null);
    let again = "its objects can be read and deleted again";
    let storage = definition.storage().unwrap_or("?");
    let lost = |which: &str| {
        format!(
            "{again}; while it is None, {which}: a write to one of them permanently drops every field that {storage} \
            does not have; restore the webhook at once"
        )
    };
    let (risk, consequence) = match elsewhere {
        _ if definition.object().is_deleting() => (
            Risk::Disruptive,
            format!("{again}; the definition is deleted with them, so the webhook need not be restored"),
        ),
        Elsewhere::Nothing => (
            Risk::Disruptive,
            format!(
                "{again}; while it is None, fields that only another version has are pruned from every object that is \
                written: restore the webhook afterwards"
            ),
        ),
        Elsewhere::Live(1, version) => (Risk::LosesData, lost(&format!("{version} has 1 live object"))),
        Elsewhere::Live(count, version) => (Risk::LosesData, lost(&format!("{version} has {count} live objects"))),
        Elsewhere::Uncounted => {
            (Risk::LosesData, lost("other versions have live objects; their number could not be read"))
        }
    };
    Remedy::new(steps::conversion_none::step(&definition.reference(), shown), risk, consequence)
}

/// Foresees kinds that remain and whose conversion webhook is behind a Service that is deleted.
fn without_service(target: &Target<'_>, world: &World<'_>, facts: &Facts<'_>, out: &mut Outlook) -> Known {
    for definition in converted_behind(target.seen, facts)? {
        let reference = definition.reference();
        if !world.going.takes(&reference) {
            let why =
                format!("without {} its objects cannot be converted or read in any namespace", target.reference());
            out.consequence(reference, why);
        }
    }
    Ok(())
}

/// Foresees kinds whose conversion webhook is in a namespace that is deleted.
fn foresee(target: &Target<'_>, world: &World<'_>, facts: &Facts<'_>, out: &mut Outlook) -> Known {
    if !target.is_namespace() {
        return without_service(target, world, facts, out);
    }
    for_each(converted_in(target.object().name(), facts)?, |definition| {
        would_be_unreadable(target, definition, world, facts, out)
    })
}

/// Foresees a kind that cannot be listed any more, because objects are stored in another version than the
/// one that controllers request. While all objects are in that version, no conversion is needed.
fn would_be_unreadable(
    target: &Target<'_>,
    definition: Definition<'_>,
    world: &World<'_>,
    facts: &Facts<'_>,
    out: &mut Outlook,
) -> Known {
    let reference = definition.reference();
    let (group, plural) = (definition.says("/group"), definition.says("/names/plural"));
    let asked = facts.preferred(group, plural);
    let stored = definition.stored();
    let converts = asked.is_some_and(|asked| stored.iter().any(|version| *version != asked.id.version));
    let place = target.reference();
    if !converts {
        let why =
            format!("when {place}, which converts its objects, is gone, they can be read only in their stored version");
        out.consequence(reference, why);
        return Ok(());
    }
    let all = facts.sweep(target.object().name())?.objects;
    let here: Vec<Seen<'_>> = all.into_iter().filter(|seen| seen.resource.id.is(group, plural)).collect();
    let why = format!("without {place} its objects cannot be converted or read in any namespace");
    out.consequence(reference.clone(), why);
    // A list in one namespace reads no object of another; and an unreadable kind is reported
    // already.
    if here.is_empty() || out.names(Cause::Conversion, &reference) {
        return Ok(());
    }
    let service = definition.webhook().and_then(|webhook| webhook.pointer("/service/name")?.as_str());
    let service = service.unwrap_or_default();
    let summary = format!(
        "{} could no longer be read: Service {service}, which converts them, would be deleted first",
        counted(&here)
    );
    let draft = Draft::new(Cause::Conversion, here[0].into(), summary)
        .waits_for(reference.clone())
        .evidence(format!("objects may be stored in {}", stored.join(", ")), &reference, "status.storedVersions")
        .evidence("strategy Webhook", &reference, "spec.conversion")
        .likely()
        .objects(refs(&here));
    let turn = Turn::objects(&here, true, format!("while Service {service} exists to convert them"), |seen| {
        world.cost(seen, facts)
    });
    out.hangs_unless(draft, Phase::Objects, turn);
    Ok(())
}
