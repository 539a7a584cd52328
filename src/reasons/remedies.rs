//! The remedies for the state of a controller: the mildest first, the removal of the finalizer
//! last.

use crate::facts::{All, Facts, Known};
use crate::findings::removal::{read_log, removal};
use crate::findings::start::scale_up;
use crate::findings::trigger::wake;
use crate::knowledge::catalogue::{self, CatalogueEntry};
use crate::kubernetes::finalizers::HeldObjects;
use crate::kubernetes::mentions::message::is_gone;
use crate::kubernetes::mentions::no_kind::missed_at_start;
use crate::kubernetes::mentions::{InTheWay, users};
use crate::kubernetes::messages::trouble::{is_unsupported, wants_it_empty};
use crate::kubernetes::namespaces::{is_closed, takes_nothing_new};
use crate::kubernetes::ownership::named_workloads::names;
use crate::kubernetes::ownership::power;
use crate::kubernetes::progress::reasons::{NotThere, RemoteCluster};
use crate::kubernetes::progress::unanswered::unanswered;
use crate::kubernetes::progress::usual::Usual;
use crate::kubernetes::progress::{ClosedNamespace, Explanation, Judgement, pending};
use crate::kubernetes::statements::said_in::SaidIn;
use crate::kubernetes::workloads::health::BeingDeleted;
use crate::kubernetes::workloads::scalers;
use crate::needs::Draft;
use crate::plan::{create, full_name, in_namespace, quote, steps};
use crate::plugin::COMMAND;
use crate::reasons::{barred, expected_troubles, inaction, jobs, kinds, marks, protection};
use crate::report::{Ref, Remedy, Risk, Sentence};
use crate::survey::{Form, Object, Seen};

/// The remedy if a controller reports what it lacks.
const FIX: &str = "fix what it says; it then continues by itself";

/// The consequence if the controller keeps something because of its content.
const EMPTYING_DESTROYS: &str = "what is in it is lost when it is emptied: make sure that nobody needs it";

/// The consequence of a repair after which a controller acts by itself.
pub(crate) const CLEANS_UP: &str = "nothing is lost: it does its own clean-up";

/// Why a missing object must be created again.
const TO_FINISH: &str = ", so that its controller can finish";

/// Removes the remedies to fix what the controller says and to create a missing object again, if neither is
/// possible.
pub(crate) fn beyond_repair(mut draft: Draft) -> Draft {
    draft.remedies.retain(|remedy| !remedy.mends_its_work);
    draft
}

/// Adds the remedies.
///
/// # Errors
/// When the effects of the controller's return were not surveyed yet.
pub(crate) fn with_remedies(
    draft: Draft,
    found: &Judgement<'_>,
    finalizer: &str,
    objects: &[Seen<'_>],
    usual: Option<Usual>,
    facts: &Facts<'_>,
) -> Known<Draft> {
    let refs: &[Ref] = &objects.iter().map(|seen| (*seen).into()).collect::<Vec<_>>();
    let entry = catalogue::of(finalizer, &refs[0].kind, &refs[0].target().resource.group);
    let mut better = None;
    let mut remedies = match &found.why {
        Explanation::ScaledToZero(workload) => {
            let pending = pending::besides(objects, finalizer, *workload, facts)?;
            let held = HeldObjects::read_whole(objects, facts)?;
            better = better_than_the_start(objects, finalizer, *workload, &held, facts)?;
            let start = scale_up(*workload, found.sure && found.bound, entry, &held, &pending, facts);
            vec![match scalers::of(*workload, facts)? {
                Some(scaler) => {
                    let consequence = Sentence::about(&scaler, "may scale it down again; ").then(&start.consequence);
                    Remedy { consequence, ..start }
                }
                None => start,
            }]
        }
        _ => by_state(found, finalizer, entry, refs, usual, facts)?,
    };
    // An event is the word of those who may create events there, a log repeats what tenants write, and a status
    // that was written along with the object may be anybody's: none of them becomes a command.
    if let Explanation::Says(words) | Explanation::Hearsay(words) = &found.why
        && found.said_in == Some(SaidIn::Status)
        && let held = HeldObjects::read_whole(objects, facts)?
        && let Some(way) = protection::switch_off(words, &held).or_else(|| marks::set(words, finalizer, &held))
    {
        remedies = vec![way];
    }
    if let Explanation::Missing { what } = &found.why
        && found.is_by_event()
        && !HeldObjects::read_whole(objects, facts)?.read().any(|seen| names(seen.object, &what.name))
    {
        let title = format!("find out whether its controller needs {what}, and what created that: an event names it");
        remedies = vec![Remedy::manual(title, "checking loses nothing")];
    }
    if let (Some(usual), Explanation::Unknown | Explanation::Says(_) | Explanation::Hearsay(_)) = (usual, &found.why) {
        remedies.insert(0, wait(usual, &refs[0]));
    }
    // Within the usual time, the controller may just be deleting what would be left behind.
    if usual.is_none() && !matches!(found.why, Explanation::Working(_)) {
        let removal = removal(finalizer, objects, refs);
        let complains = complains(found, objects[0], facts) || !unanswered(&found.why, facts)?.is_empty();
        remedies.extend(removal.map(|it| if complains { it.by_name() } else { it }));
    }
    // A repair comes before anything permanent: the things that it destroys were to be deleted anyway.
    if let Some(why) = better
        && let Some(removal) = remedies.pop()
    {
        let consequence = Sentence::from(why).then(&removal.consequence);
        remedies.insert(0, Remedy { consequence, ..removal });
    }
    Ok(draft.remedies(remedies))
}

/// Why removing the finalizer is better than starting the controller: nothing uses the objects any more, so
/// nothing is left behind, and the start would also destroy something of another kind that is not deleted
/// with its namespace.
fn better_than_the_start(
    objects: &[Seen<'_>],
    finalizer: &str,
    workload: Seen<'_>,
    held: &HeldObjects<'_>,
    facts: &Facts<'_>,
) -> Known<Option<String>> {
    if !users::is_guard(finalizer) {
        return Ok(None);
    }
    let (other, is_unused) =
        (pending::beyond(objects, finalizer, workload, facts), users::are_none(held, facts)).all()?;
    Ok(other.filter(|_| is_unused).map(|other| {
        format!(
            "first, because nothing uses {} any more and starting {} would also finish the deletion of {other}; ",
            if objects.len() == 1 { "it" } else { "them" },
            Ref::from(workload)
        )
    }))
}

/// Whether the controller is Ready and lacks a permission or an object that it can be given, or reports an
/// obstacle. Until that is repaired, a finalizer is removed only from objects that a person has named. If the
/// object in its message is gone, there is nothing to repair.
fn complains(found: &Judgement<'_>, first: Seen<'_>, facts: &Facts<'_>) -> bool {
    let can_be_mended = match &found.why {
        Explanation::Missing { what } => !what.namespace.as_ref().is_some_and(|place| takes_nothing_new(place, facts)),
        Explanation::NotThere(why) => !matches!(why, NotThere::NodeGone(_)),
        Explanation::LooksAway(_)
        | Explanation::LostRights { .. }
        | Explanation::Barred { .. }
        | Explanation::Tenant(_)
        | Explanation::CleanupJob(_)
        | Explanation::Unwell { .. }
        | Explanation::NoKind(_) => true,
        Explanation::Says(words) | Explanation::Hearsay(words) => !is_gone(words, first, facts),
        _ => false,
    };
    can_be_mended && found.controller.workload.is_some()
}

/// The consequence of a repair, with the catalogue's description of the clean-up.
fn clean_up_of(entry: Option<&CatalogueEntry>) -> String {
    let Some(entry) = entry else { return CLEANS_UP.to_owned() };
    let destroys = entry.if_finished.map(|text| format!("; when it has finished, {text}")).unwrap_or_default();
    format!("it does its clean-up ({}){destroys}", entry.guards)
}

fn by_state(
    found: &Judgement<'_>,
    finalizer: &str,
    entry: Option<&CatalogueEntry>,
    refs: &[Ref],
    usual: Option<Usual>,
    facts: &Facts<'_>,
) -> Known<Vec<Remedy>> {
    let first = &refs[0];
    let workload = found.controller.workload.as_ref();
    let clean_up = clean_up_of(entry);
    let own_way = entry.map(|entry| format!(": {}", entry.way_out)).unwrap_or_default();
    let by_hand = |title: Sentence| vec![Remedy::manual(title, clean_up.clone())];
    let manual = |title: String| by_hand(title.into());
    Ok(match &found.why {
        Explanation::ScaledToZero(_) | Explanation::Hindered(_) => Vec::new(),
        Explanation::Gone { installed, closed } if *installed || closed.as_ref().is_some_and(|it| it.is_home) => {
            manual(install_again(closed.as_ref()) + &own_way)
        }
        Explanation::Unknown if workload.is_some() => ask_it(found, first),
        Explanation::Gone { .. } | Explanation::Unknown => {
            manual(bring_back_whoever(finalizer, entry, found.has_traces))
        }
        Explanation::Down { .. } => repair(found, &own_way, &clean_up, facts),
        Explanation::NotThere(_) | Explanation::LooksAway(_) => {
            inaction::remedy(found, first, &clean_up).into_iter().collect()
        }
        Explanation::LostRights { workload, lost } => vec![lost.remedy(first, workload, &clean_up, "", facts)],
        Explanation::Barred { gate, account } => barred::remedies(*gate, account, refs, &clean_up, facts)?,
        Explanation::Tenant(tenant) => vec![expected_troubles::let_delete(tenant, "")],
        // A node cannot be created again: a new node of that name would be another one.
        Explanation::Lacks { what, .. } if is_core(what, "nodes") => Vec::new(),
        Explanation::Missing { what } | Explanation::Lacks { what, .. } => {
            let again = Remedy::manual(missing(what, first, facts), clean_up);
            vec![Remedy { mends_its_work: true, ..again }]
        }
        Explanation::NoKind(needed) => manual(kinds::install(needed)),
        Explanation::Blocked(blockers) => {
            let first = blockers.iter().take(2).map(|edge| edge.blocker);
            first.flat_map(|blocker| by_hand(blocked(&blocker.into(), blocker.object.is_deleting()))).collect()
        }
        Explanation::InUse(users) => {
            users.iter().take(2).flat_map(|edge| by_hand(end_use(&edge.blocker.into(), edge))).collect()
        }
        Explanation::Unwell { what, .. } => by_hand(
            Sentence::from(format!("fix what {what} reports, so that its controller can finish")).by(look_at(what)),
        ),
        Explanation::CleanupJob(failed) => vec![jobs::mend(failed)],
        Explanation::CannotCreate => manual(format!(
            "do its clean-up by hand, outside the namespace{}: nothing can be created in it any more",
            entry.map(|entry| format!(" ({})", entry.guards)).unwrap_or_default()
        )),
        Explanation::Hearsay(_) if found.has_stopped_elsewhere() => {
            manual("start its controller again where it ran: no workload for it was found here".into())
        }
        Explanation::Says(words) | Explanation::Hearsay(words) => match &found.remote {
            Some(remote) => manual(reach(remote)),
            None => vec![mend(words, clean_up)],
        },
        Explanation::Working(_) => {
            vec![Remedy::command("wait, and check again in a minute", watch(first), "nothing is lost")]
        }
        Explanation::Unreferred { .. } => vec![wake(first)],
        Explanation::Outlived(_) | Explanation::SaysOnly(_) => ask_it(found, first),
        Explanation::Idle | Explanation::SaidBefore(_) => match usual {
            Some(usual) => vec![wait(usual, first)],
            None => ask_it(found, first),
        },
    })
}

/// How to bring back a controller that is gone. It cannot be installed into a `closed` namespace.
fn install_again(closed: Option<&ClosedNamespace>) -> String {
    match closed {
        Some(ClosedNamespace { name, is_home: true }) => {
            format!("run its controller in another namespace, with the same permissions, because {name} is terminating")
        }
        Some(ClosedNamespace { name, .. }) => format!(
            "install its controller again, in another namespace because {name} is terminating: its \
            CustomResourceDefinition still exists"
        ),
        None => "install its controller again: its CustomResourceDefinition still exists".to_owned(),
    }
}

/// The remedies that bring back a controller that is down.
fn repair(found: &Judgement<'_>, own_way: &str, clean_up: &str, facts: &Facts<'_>) -> Vec<Remedy> {
    let by_hand = |title: Sentence| vec![Remedy::manual(title, clean_up)];
    let manual = |title: String| by_hand(title.into());
    match &found.why {
        Explanation::Down { going: Some(BeingDeleted::Workload), .. } => {
            manual(format!("let its deletion finish, and install its controller again{own_way}"))
        }
        Explanation::Down { going: Some(BeingDeleted::Namespace), .. } => manual(format!(
            "run its controller in another namespace, with the same permissions, because its own is \
            terminating{own_way}"
        )),
        Explanation::Down { missing: Some(what), .. } if is_pod(what) => by_hand(bring_back(what, facts)),
        Explanation::Down { missing: Some(what), .. } => by_hand(create_again(what, own_way, facts)),
        Explanation::Down { workload, last_words, .. } => {
            let mut remedies = by_hand(Sentence::from(format!("repair {workload}")).by(look_at(workload)));
            let missed = last_words.as_ref().and_then(|words| missed_at_start(words, facts.discovery()));
            remedies.splice(0..0, missed.iter().flat_map(|kind| manual(kinds::install_for(kind, workload))));
            remedies
        }
        _ => Vec::new(),
    }
}

/// How to make a cluster reachable for a controller.
fn reach(RemoteCluster { secret, field }: &RemoteCluster) -> String {
    format!("make the cluster reachable that {secret} ({field}) gives access to, or correct the kubeconfig")
}

/// The remedy for a controller's message, which the catalogue's advice may not fit. If the service does not
/// support the operation, that cannot be fixed there.
fn mend(words: &str, clean_up: String) -> Remedy {
    if is_unsupported(words) {
        return Remedy::manual("run a version of its controller that does not need that", clean_up);
    }
    let consequence = if wants_it_empty(words) { EMPTYING_DESTROYS.to_owned() } else { clean_up };
    Remedy { mends_its_work: true, ..Remedy::manual(FIX, consequence) }
}

/// The remedies for a controller that runs and gives no reason: its log may contain one, or it may check the
/// object again only after a change. If all its pods began after the deletion, a restart does not help.
fn ask_it(found: &Judgement<'_>, object: &Ref) -> Vec<Remedy> {
    let Some(workload) = &found.controller.workload else {
        let title = format!("check what its controller logs about {object}, where it runs");
        return vec![Remedy::manual(title, "nothing is changed"), wake(object)];
    };
    let log = read_log(workload, object);
    if found.began_later {
        return vec![wake(object), log];
    }
    let mut remedies = vec![log, wake(object)];
    if workload.resource != "pods" {
        remedies.push(Remedy::command(
            format!("restart {workload}: it then checks everything again"),
            format_args!("kubectl rollout restart {}", full_name(workload)),
            "its work stops for a moment",
        ));
    }
    remedies
}

fn wait(usual: Usual, object: &Ref) -> Remedy {
    Remedy::command(format!("wait until {}", usual.end()), watch(object), "nothing is lost")
}

/// The advice if the owner of `finalizer` is unknown or gone. A product that has left no traces may never
/// have been here, and need not be started.
fn bring_back_whoever(finalizer: &str, entry: Option<&CatalogueEntry>, has_traces: bool) -> String {
    match entry {
        Some(CatalogueEntry { product, .. }) if !has_traces => {
            format!("find out who set {finalizer} and who removes it: nothing of {product} was found in this cluster")
        }
        Some(entry) => format!("let {} release it: {}", entry.controller, entry.way_out),
        None => format!("repair or bring back the controller that owns {finalizer}"),
    }
}

fn watch(object: &Ref) -> String {
    let full = object.kubectl();
    let resource = full.split_once('/').map_or(full.as_str(), |(resource, _)| resource);
    format!("kubectl get {}{} --watch", quote(resource), in_namespace(object))
}

fn look_at(workload: &Ref) -> String {
    format!("kubectl describe {}", full_name(workload))
}

/// The remedy for a missing object that a workload's pods need, if it can still be created.
fn create_again(what: &Ref, own_way: &str, facts: &Facts<'_>) -> Sentence {
    match what.namespace.as_deref().filter(|place| is_closed(place, facts)) {
        Some(place) => format!(
            "run its controller from another namespace, with {} {} there: nothing can be created in {place}{own_way}",
            what.kind, what.name
        )
        .into(),
        None => Sentence::from(format!("create {what} again")).by(create(&what.kind.to_lowercase(), what)),
    }
}

fn missing(what: &Ref, first: &Ref, facts: &Facts<'_>) -> Sentence {
    let place = what.namespace.as_ref().filter(|namespace| takes_nothing_new(namespace, facts));
    let title = if place.is_some() && place == first.namespace.as_ref() {
        format!(
            "create {what} where its controller also reads it (its own namespace, or a cluster-wide setting): nothing \
            can be created in a terminating namespace"
        )
    } else if let Some(place) = place {
        format!(
            "create {what} in another namespace that its controller reads: {place} is terminating or cannot be read"
        )
    } else if is_pod(what) {
        return bring_back(what, facts);
    } else if power::over(&what.target().resource).is_some_and(|of| of != power::SECRETS) {
        // Anybody who may write the object could name a ClusterRole or a webhook there.
        format!("find out what created {what}, and apply that again: only {first} names it")
    } else if is_core(what, "services") {
        format!("restore {what} by installing its product again{TO_FINISH}")
    } else {
        format!("create {what} again{TO_FINISH}")
    };
    title.into()
}

fn is_pod(what: &Ref) -> bool {
    is_core(what, "pods")
}

/// Whether an object is of this kind in the core group.
fn is_core(what: &Ref, plural: &str) -> bool {
    what.resource == plural && !what.api_version.contains('/')
}

/// The remedy for a missing pod: workloads create pods, and one created by hand would not be the missing one.
fn bring_back(pod: &Ref, facts: &Facts<'_>) -> Sentence {
    match maker(pod, facts) {
        Some(workload) => Sentence::from(format!("check why {workload} does not create {pod} again, and fix that"))
            .by(look_at(&workload)),
        None => Sentence::from(format!(
            "bring back what creates {pod} (its StatefulSet, Deployment or Job), so that its controller can finish"
        ))
        .by(format_args!("kubectl get statefulsets,replicasets,jobs{}", in_namespace(pod))),
    }
}

/// The workload that creates a pod of this name: `db` creates `db-0` as a `StatefulSet`,
/// `db-5c689d88bb-x7k2p` as a Deployment, and `db-x7k2p` as a `DaemonSet`
/// (<https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/#pod-identity>,
/// kubernetes/kubernetes: `staging/src/k8s.io/apiserver/pkg/storage/names/generate.go`).
fn maker(pod: &Ref, facts: &Facts<'_>) -> Option<Ref> {
    ["statefulsets", "deployments", "daemonsets"].into_iter().find_map(|plural| {
        let resource = facts.preferred("apps", plural)?;
        // These kinds were listed already, in the search for the controller.
        let all = facts.list(&resource.id, None, Form::Metadata).ok()?;
        let makes = |workload: &&Object| {
            let rest = pod.name.strip_prefix(workload.name()).and_then(|rest| rest.strip_prefix('-'));
            workload.metadata.namespace.as_deref() == pod.namespace.as_deref()
                && rest.is_some_and(|rest| is_given_by(plural, rest))
        };
        all.iter().find(makes).map(|object| Ref::of(resource, object))
    })
}

/// Whether workloads of this kind give their pods names that end in `rest`.
fn is_given_by(plural: &str, rest: &str) -> bool {
    let random = |part: &str| part.len() == 5 && part.bytes().all(|c| c.is_ascii_alphanumeric());
    let plain = |hash: &str| !hash.is_empty() && hash.bytes().all(|c| c.is_ascii_alphanumeric());
    match plural {
        "statefulsets" => !rest.is_empty() && rest.bytes().all(|c| c.is_ascii_digit()),
        "deployments" => rest.split_once('-').is_some_and(|(hash, part)| plain(hash) && random(part)),
        _ => random(rest),
    }
}

/// The remedy for a user of an object, which need not be deleted, but must stop using it.
fn end_use(user: &Ref, edge: &InTheWay<'_>) -> Sentence {
    if edge.blocker.object.is_deleting() {
        return blocked(user, true);
    }
    let guarded = Ref::from(edge.waiting);
    Sentence::from(format!("let {user} end, or let it use something other than {guarded}"))
        .by(format_args!("kubectl get {} -o yaml", full_name(user)))
}

fn blocked(blocker: &Ref, deleting: bool) -> Sentence {
    let name = full_name(blocker);
    if deleting {
        Sentence::from(format!("release {blocker} first")).by(format_args!("{COMMAND} {name}"))
    } else {
        Sentence::from(format!("check what {blocker} waits for, or what needs it"))
            .by(format_args!("kubectl get {name} -o yaml"))
    }
}

/// Adds the remedies if no controller was looked for.
pub(crate) fn without(draft: Draft, finalizer: &str, objects: &[Seen<'_>], refs: &[Ref]) -> Draft {
    let bring_back = Remedy::manual(format!("repair or bring back the controller that owns {finalizer}"), CLEANS_UP);
    draft.remedy(bring_back).remedies(removal(finalizer, objects, refs))
}

/// The namespace of an object, which is needed for the permissions to restore and for the count of remaining
/// objects.
pub(crate) fn namespace_of<'s>(object: &Ref, facts: &Facts<'s>) -> crate::facts::Known<Option<&'s Object>> {
    match (&object.namespace, facts.preferred("", "namespaces")) {
        (Some(name), Some(kind)) => facts.get(&kind.id, None, name, Form::Whole),
        _ => Ok(None),
    }
}
