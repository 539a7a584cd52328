//! Fetches wants into a survey: concurrently, bounded, in one pass.

use crate::read::discover::discover;
use crate::read::list::{ListRequest, WHOLE};
use crate::read::shared_list::{MAX_ASIDE, Read, SharedList, plan};
use crate::read::sieve::Sieve;
use crate::read::{log, probe};
use crate::survey::{Discovery, Fact, Form, Object, Reason, ResourceId, Survey, Unread, Want, read_object};
use crate::transport::http::{Answer, Api, METADATA};
use crate::transport::in_flight::bounded;
use crate::transport::refusal::Refusal;
use crate::transport::throttle::lock;
use jiff::Timestamp;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use tokio::time::Instant;

pub use crate::read::list::{Freshness, listed, named};

/// Starts a survey with one round trip: time, version, discovery, and the `first` wants, which need
/// no discovery.
///
/// # Errors
/// When the server cannot be reached or is no Kubernetes API server.
pub async fn begin(api: &Api, first: BTreeSet<Want>, freshness: Freshness) -> Result<Survey, Refusal> {
    api.budget.clear();
    let reader = Reader { api: api.clone(), freshness, silent: None };
    let read = Box::pin(fetch(&reader, first, &|| {}));
    let (version, discovery, read) = tokio::join!(api.get("/version", WHOLE), discover(api), read);
    let (version, discovery) = (version?, discovery?);
    let mut survey = Survey::new(version.date.unwrap_or_else(local_time), discovery);
    survey.server = server_version(&version);
    read.into(&mut survey);
    Ok(survey)
}

/// The local time, if the server sends no `Date`.
#[expect(clippy::disallowed_methods, reason = "the clock of a survey whose server has none")]
pub(crate) fn local_time() -> Timestamp {
    Timestamp::now()
}

fn server_version(answer: &Answer) -> Option<String> {
    let version: serde_json::Value = serde_json::from_slice(&answer.body).ok()?;
    Some(version.get("gitVersion")?.as_str()?.to_owned())
}

/// Fetches `wants` and adds the results to the survey. Calls `tick` after each read; [`reads`]
/// returns how many reads there are.
pub async fn gather(
    api: &Api,
    wants: BTreeSet<Want>,
    survey: &mut Survey,
    freshness: Freshness,
    tick: &(dyn Fn() + Sync),
) {
    let aggregated = aggregated(survey);
    let (probes, reads) = wants.into_iter().partition(|want| aggregated.contains(&want.resource.api_version()));
    let silent = Some(Arc::new(Mutex::new(silent(survey, &aggregated))));
    let reader = Reader { api: api.clone(), freshness, silent: None };
    // A hanging API must not block the other reads.
    let of_aggregated = Reader { api: api.probing(), freshness, silent };
    let read = tokio::join!(Box::pin(fetch(&reader, reads, tick)), Box::pin(fetch(&of_aggregated, probes, tick)));
    read.0.into(survey);
    read.1.into(survey);
}

/// Reads `wants` apart from any diagnosis.
pub async fn read_apart(api: &Api, wants: BTreeSet<Want>, freshness: Freshness) -> Survey {
    let mut survey = Survey::new(Timestamp::UNIX_EPOCH, Discovery::default());
    gather(api, wants, &mut survey, freshness, &|| {}).await;
    survey
}

/// How many reads `wants` take if no shared list fails.
#[must_use]
pub fn reads(wants: &BTreeSet<Want>) -> usize {
    plan(twins(wants.clone()).1).len()
}

/// Reads wants from the API server itself, or from aggregated servers through it.
#[derive(Clone)]
struct Reader {
    api: Api,
    freshness: Freshness,
    /// The aggregated APIs that did not answer. Each may cost its own time-out once and is not
    /// asked again. `None` when the API server itself is read.
    silent: Option<Arc<Mutex<BTreeSet<String>>>>,
}

/// The results of a read.
#[derive(Default)]
struct Given {
    facts: Vec<(Want, Fact)>,
    /// Results of the same read that no want asked for.
    aside: Vec<(Want, Fact)>,
}

impl Given {
    fn into(self, survey: &mut Survey) {
        for (want, fact) in self.aside {
            survey.lay_aside(want, fact);
        }
        for (want, fact) in self.facts {
            survey.record(want, fact);
        }
    }
}

impl From<Vec<(Want, Fact)>> for Given {
    fn from(facts: Vec<(Want, Fact)>) -> Self {
        Self { facts, aside: Vec::new() }
    }
}

/// The results of a read, and the reads that replace it.
type ReadResult = (Given, Vec<Read>);

/// Reads all of `wants`, combining those that one list answers. If such a list fails, the wants are
/// read one by one: the caller may have rights in some namespaces only, and an object that cannot
/// be converted makes only its own namespace unreadable.
async fn fetch(reader: &Reader, wants: BTreeSet<Want>, tick: &(dyn Fn() + Sync)) -> Given {
    let mut given = Given::default();
    let (mut twins, wants) = twins(wants);
    let mut reads = plan(wants);
    while !reads.is_empty() {
        let work = reads.drain(..).map(|read| {
            let reader = reader.clone();
            async move { reader.read(read).await }
        });
        let outcomes: Vec<ReadResult> = bounded(|| reader.api.in_flight(), work, tick).await;
        for (read, instead) in outcomes {
            given.facts.extend(read.facts);
            given.aside.extend(read.aside);
            reads.extend(instead);
        }
        if reads.is_empty() {
            let came_along: Vec<_> = given.aside.extract_if(.., |(want, _)| twins.remove(want)).collect();
            given.facts.extend(came_along);
            reads = plan(std::mem::take(&mut twins));
        }
    }
    given
}

/// Splits off the lists in the form that controllers get: they usually come along with another list
/// of `wants`. The second set is the rest.
fn twins(wants: BTreeSet<Want>) -> (BTreeSet<Want>, BTreeSet<Want>) {
    let comes_along = |want: &Want| {
        want.form == Form::Cached
            && want.namespace.is_some()
            && wants.contains(&Want { form: Form::Metadata, ..want.clone() })
    };
    let twins: BTreeSet<Want> = wants.iter().filter(|want| comes_along(want)).cloned().collect();
    (twins.clone(), wants.into_iter().filter(|want| !twins.contains(want)).collect())
}

impl Reader {
    async fn read(&self, read: Read) -> ReadResult {
        match read {
            Read::One(want) => (self.one(&want).await, Vec::new()),
            Read::SharedList(shared_list) => self.shared_list(shared_list).await,
            Read::Sample(wants, why) => self.sample(wants, &why).await,
        }
    }

    async fn shared_list(&self, shared_list: SharedList) -> ReadResult {
        let group_version = shared_list.wants[0].resource.api_version();
        if self.is_silent(&group_version) {
            let facts: Vec<_> = shared_list.wants.into_iter().map(|want| (want, not_asked())).collect();
            return (facts.into(), Vec::new());
        }
        match shared_list.read(&self.api, self.freshness).await {
            Ok((facts, aside)) => {
                let facts = shared_list.wants.into_iter().zip(facts).collect();
                (Given { facts, aside: aside.into_iter().collect() }, Vec::new())
            }
            Err(refusal) => {
                let why = refusal.unread();
                self.note(&group_version, &why);
                // One read tells whether an API hangs or is dead everywhere.
                let is_everywhere = why.is_the_servers() && why.reason != Reason::Garbled;
                let sample = is_everywhere.then(|| Read::Sample(shared_list.wants.clone(), why));
                let single = || shared_list.wants.into_iter().map(Read::one).collect();
                (Given::default(), sample.map_or_else(single, |sample| vec![sample]))
            }
        }
    }

    /// Reads the first of `wants`, which could not be read together. If it fails the same way, so
    /// will the others: the API hangs, or it is aggregated and dead.
    async fn sample(&self, wants: Vec<Want>, why: &Unread) -> ReadResult {
        let mut wants = wants.into_iter();
        let Some(first) = wants.next() else { return (Given::default(), Vec::new()) };
        let is_silent = self.is_silent(&first.resource.api_version());
        let unread = || vec![(first.clone(), Fact::Unread(why.clone()))].into();
        let mut known = if is_silent { unread() } else { self.one(&first).await };
        let same = match known.facts.first() {
            Some((_, Fact::Unread(unread))) if unread.reason == Reason::TimedOut => Some(not_asked()),
            Some((_, fact @ Fact::Unread(unread))) if unread == why && self.silent.is_some() => Some(fact.clone()),
            _ => None,
        };
        match same {
            Some(same) => {
                known.facts.extend(wants.map(|want| (want, same.clone())));
                (known, Vec::new())
            }
            None => (known, wants.map(Read::one).collect()),
        }
    }

    async fn one(&self, want: &Want) -> Given {
        let group_version = want.resource.api_version();
        if self.is_silent(&group_version) {
            return vec![(want.clone(), not_asked())].into();
        }
        let given = read(self, want).await;
        if let Some((_, Fact::Unread(unread))) = given.facts.first() {
            self.note(&group_version, unread);
        }
        given
    }

    fn is_silent(&self, group_version: &str) -> bool {
        self.silent.as_deref().is_some_and(|silent| lock(silent).contains(group_version))
    }

    fn note(&self, group_version: &str, unread: &Unread) {
        if let Some(silent) = self.silent.as_deref().filter(|_| unread.reason == Reason::TimedOut) {
            lock(silent).insert(group_version.to_owned());
        }
    }
}

fn not_asked() -> Fact {
    let message = "not asked: another request to the same API got no answer".into();
    Fact::Unread(Unread { reason: Reason::TimedOut, message })
}

/// The `group/version`s that aggregated servers serve.
fn aggregated(survey: &Survey) -> BTreeSet<String> {
    let Some(Fact::Listed(apis)) = survey.fact(&api_services()) else { return BTreeSet::new() };
    let served = apis.iter().filter(|api| api.at("/spec/service").is_some_and(|service| !service.is_null()));
    let part = |api: &Object, field: &str| api.text(&format!("/spec/{field}")).unwrap_or_default().to_owned();
    served.map(|api| format!("{}/{}", part(api, "group"), part(api, "version"))).collect()
}

/// The aggregated `group/version`s that have already left a request unanswered.
fn silent(survey: &Survey, aggregated: &BTreeSet<String>) -> BTreeSet<String> {
    if aggregated.is_empty() {
        return BTreeSet::new();
    }
    let timed_out = |fact: &Fact| matches!(fact, Fact::Unread(unread) if unread.reason == Reason::TimedOut);
    let silent =
        survey.facts_unsorted().filter(|(_, fact)| timed_out(fact)).map(|(want, _)| want.resource.api_version());
    silent.filter(|group_version| aggregated.contains(group_version)).collect()
}

/// The list of APIServices, which shows which APIs are aggregated.
#[must_use]
pub fn api_services() -> Want {
    Want::list(&ResourceId::new("apiregistration.k8s.io", "v1", "apiservices"), None, Form::Whole)
}

async fn read(reader: &Reader, want: &Want) -> Given {
    if want.name.is_none() && want.log.is_none() && want.probe.is_none() {
        return list(reader, want)
            .await
            .unwrap_or_else(|refusal| vec![(want.clone(), Fact::Unread(refusal.unread()))].into());
    }
    vec![(want.clone(), single(&reader.api, want).await)].into()
}

async fn single(api: &Api, want: &Want) -> Fact {
    let found = |refusal: &Refusal| if refusal.is_not_found() { Fact::Missing } else { Fact::Unread(refusal.unread()) };
    if let Some(of) = want.log.as_deref().filter(|_| want.resource.plural == "nodes") {
        return log::of_kubelet(api, want, of).await.unwrap_or_else(|refusal| found(&refusal));
    }
    if let Some(of) = &want.log {
        return log::of_container(api, want, of).await.unwrap_or_else(|refusal| log::none(want, &refusal));
    }
    if let Some(of) = &want.probe {
        return probe::ask(api, want, of).await;
    }
    get(api, want).await.unwrap_or_else(|refusal| found(&refusal))
}

async fn get(api: &Api, want: &Want) -> Result<Fact, Refusal> {
    let accept = if want.form == Form::Whole { WHOLE } else { METADATA };
    let answer = api.get(&want.path(), accept).await?;
    let room = api.budget.room();
    let mut object = read_object(&answer.body, true, room).map_err(|error| Refusal::garbled(&error.to_string()))?;
    object.is_in_bounds().map_err(|why| Refusal::garbled(&why))?;
    object.bound(room);
    let mut reserved = api.budget.enter();
    reserved.add_object(object.weight()).map_err(|why| Refusal::garbled(&why))?;
    reserved.keep();
    Ok(Fact::Found(Box::new(object)))
}

/// Reads a list, and keeps other facts that it shows.
async fn list(reader: &Reader, want: &Want) -> Result<Given, Refusal> {
    let listing = ListRequest { sieve: Sieve::of_list(want), ..ListRequest::of(&reader.api, want) };
    let asked = Instant::now();
    let listed = listing.read(want.form, reader.freshness, reader.silent.is_some()).await?;
    if *want == api_services() {
        reader.api.registrations.are(asked, &listed.objects);
    }
    let is_twin = listed.is_cached && want.form == Form::Metadata && want.namespace.is_some();
    let aside = (is_twin && listed.objects.len() <= MAX_ASIDE).then(|| (cached(want), thin(&listed.objects)));
    Ok(Given { facts: vec![(want.clone(), Fact::Listed(listed.objects))], aside: aside.into_iter().collect() })
}

/// The same list in the form that controllers get.
fn cached(want: &Want) -> Want {
    Want { form: Form::Cached, ..want.clone() }
}

fn thin(objects: &[Object]) -> Fact {
    let thin = objects.iter().map(|object| {
        let mut object = object.clone();
        object.thin_out();
        object
    });
    Fact::Listed(thin.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transport::http::stand_in::stand_in;
    use std::time::Duration;

    fn of(form: Form) -> Want {
        Want::list(&ResourceId::new("", "v1", "pods"), Some("shop"), form)
    }

    /// Reads `rounds`; returns the queries that were sent and the survey.
    async fn gathered(status: u16, rounds: [&[Form]; 2]) -> (Vec<String>, Survey) {
        let asked: Arc<Mutex<Vec<String>>> = Arc::default();
        let seen = Arc::clone(&asked);
        let api = stand_in(Duration::from_secs(5), move |_, request| {
            let query = request.uri().query().unwrap_or_default().to_owned();
            let status = if query.contains("limit") { 200 } else { status };
            seen.lock().unwrap().push(query);
            std::future::ready((status, r#"{"metadata":{},"items":[{"metadata":{"name":"a"}}]}"#.to_owned()))
        });
        let mut survey = Survey::new(Timestamp::UNIX_EPOCH, Discovery::default());
        for forms in rounds {
            let mut wants: BTreeSet<Want> = forms.iter().map(|form| of(*form)).collect();
            survey.recall(&mut wants);
            gather(&api, wants, &mut survey, Freshness::Cached, &|| {}).await;
        }
        let asked = asked.lock().unwrap().clone();
        (asked, survey)
    }

    #[tokio::test]
    async fn a_cached_list_also_answers_what_controllers_get() {
        for rounds in [[&[Form::Metadata, Form::Cached][..], &[]], [&[Form::Metadata], &[Form::Cached]]] {
            let (asked, survey) = gathered(200, rounds).await;
            assert_eq!(asked, ["resourceVersion=0"]);
            for form in [Form::Metadata, Form::Cached] {
                assert!(
                    matches!(survey.fact(&of(form)), Some(Fact::Listed(objects)) if objects.len() == 1),
                    "{form:?}"
                );
            }
        }
    }

    #[tokio::test]
    async fn a_failing_cache_fails_for_controllers() {
        for rounds in [[&[Form::Metadata, Form::Cached][..], &[]], [&[Form::Metadata], &[Form::Cached]]] {
            let (_, survey) = gathered(429, rounds).await;
            assert!(matches!(survey.fact(&of(Form::Metadata)), Some(Fact::Listed(_))), "it is read from the store");
            assert!(matches!(survey.fact(&of(Form::Cached)), Some(Fact::Unread(_))));
        }
    }
}
