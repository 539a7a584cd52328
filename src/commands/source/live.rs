//! A live cluster.

use super::logs;
use super::progress::Progress;
use super::rounds::{MAX_CLOSING_ROUNDS, MAX_ROUNDS, report};
use crate::cli::Cli;
use crate::commands::words::TypeAndName;
use crate::commands::{interrupt, words};
use crate::diagnosis::{close, orphans};
use crate::facts::SETTLE;
use crate::failure::Failure;
use crate::plugin::COMMAND;
use crate::read::discover::discover;
use crate::read::gather::{Freshness, api_services, begin, gather, listed, reads};
use crate::report::{Finding, InstalledProduct, ObjectNote, Ref, Report};
use crate::survey::{
    Discovery, Fact, Form, LogReading, Purpose, Reason, ResourceId, Scan, Scope, Survey, TargetName, Unread, Want,
};
use crate::transport::Refusal;
use crate::transport::connect::Connected;
use crate::transport::throttle::lock;
use std::collections::{BTreeSet, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock};

/// A cluster, and the objects to survey in it.
#[derive(Debug)]
pub struct Live {
    /// The connection.
    pub connected: Connected,
    named: Vec<TypeAndName>,
    namespace: String,
    /// The purpose of its surveys.
    purpose: Mutex<Purpose>,
    wrote: AtomicBool,
    logs: LogReading,
    /// The logs that were read already: a watch does not read them again.
    known_logs: Mutex<Vec<(Want, Fact)>>,
    /// The targets that replace the named ones, if any were chosen.
    chosen: Mutex<Option<Vec<TargetName>>>,
    /// The lists that the targets were taken from, if they were not named one by one.
    lists: Vec<(Want, Option<String>)>,
    /// The targets, once they are fixed. From then on, no other object becomes a target.
    fixed: OnceLock<Vec<Ref>>,
}

/// A diagnosis and its facts.
#[derive(Debug)]
pub struct Diagnosed {
    /// The facts.
    pub survey: Survey,
    /// The report.
    pub report: Report,
}

impl Live {
    /// Connects.
    ///
    /// # Errors
    /// When the connection flags and the kubeconfig do not name a server.
    pub async fn connect(cli: &Cli, named: Vec<TypeAndName>) -> Result<Self, Failure> {
        let given = cli.connection.namespace.clone();
        given.as_deref().map_or(Ok(()), words::is_namespace)?;
        let connected = cli.connection.connect().await?;
        let namespace = given.unwrap_or_else(|| connected.namespace.clone());
        words::is_namespace(&namespace)?;
        // Without a name, the namespaces that are being deleted are diagnosed.
        let lists = if named.is_empty() { vec![(all_namespaces(), None)] } else { Vec::new() };
        Ok(Self {
            connected,
            named,
            namespace,
            purpose: Mutex::default(),
            wrote: AtomicBool::new(false),
            logs: logs::reading(&cli.options)?,
            known_logs: Mutex::default(),
            chosen: Mutex::new(None),
            lists,
            fixed: OnceLock::new(),
        })
    }

    /// Connects for something else than targets that are named.
    ///
    /// # Errors
    /// As for [`Self::connect`].
    pub async fn connect_for(cli: &Cli, purpose: Purpose) -> Result<Self, Failure> {
        Ok(Self::connect(cli, Vec::new()).await?.for_purpose(purpose))
    }

    /// The same connection, for surveys of this purpose.
    #[must_use]
    pub fn for_purpose(self, purpose: Purpose) -> Self {
        Self { purpose: Mutex::new(purpose), ..self }
    }

    /// From now on, the products consist of the objects in the first report: the marks that show
    /// what belongs to a product disappear during its deletion.
    pub fn keep_products(&self, first: &Report) {
        let mut purpose = self.purpose();
        let Purpose::Preflight { products, .. } = &mut *purpose else { return };
        for name in products {
            let is_it = |it: &&InstalledProduct| name.means(it.installer, &it.name, it.namespace.as_deref());
            let Some(product) = first.products.iter().find(is_it) else { continue };
            // Whatever looks at an object is added again.
            let why = |note: &ObjectNote| note.why.without_command().as_ref().unwrap_or(&note.why).to_string();
            let apart = product.apart.iter().chain(&product.keeps);
            name.apart = apart.map(|note| (note.object.uid.clone(), why(note))).collect();
            name.members.clone_from(&product.members);
        }
    }

    /// Searches for stranded objects. Reads from the store before reporting that nothing is
    /// stranded, and before anything that is `serious`. Objects without owners get the time in
    /// which the garbage collector deletes them.
    ///
    /// # Errors
    /// As for [`Self::diagnose`].
    pub async fn look_for_orphans(&self, serious: impl Fn(&Report) -> bool) -> Result<Diagnosed, Failure> {
        let first = self.diagnose(Freshness::Cached).await?;
        let without_owners = orphans::without_owners(&first.report);
        let wait = !without_owners.is_empty();
        if wait {
            interrupt::wait_for(tokio::time::sleep(SETTLE.unsigned_abs())).await?;
        }
        if let Purpose::Orphans(scope) = &mut *self.purpose() {
            scope.without_owners_before = Some(without_owners);
        }
        if wait || first.report.findings.is_empty() || serious(&first.report) {
            // Two surveys of everything would take twice the memory.
            drop(first);
            return self.diagnose(Freshness::Consistent).await;
        }
        Ok(first)
    }

    /// Surveys everything that is being deleted. Reads from the store before reporting that nothing
    /// is stuck.
    ///
    /// # Errors
    /// As for [`Self::diagnose`].
    pub async fn look_at_everything(&self) -> Result<Diagnosed, Failure> {
        let first = self.diagnose(Freshness::Cached).await?;
        if first.report.findings.iter().any(Finding::is_root_cause) {
            return Ok(first);
        }
        self.diagnose(Freshness::Consistent).await
    }

    /// From now on, surveys everything that is being deleted.
    pub fn look_everywhere(&self) {
        *self.purpose() = Purpose::Scan(Scan::default());
    }

    /// The lists from which the targets were taken, with their selectors.
    pub fn lists(&self) -> &[(Want, Option<String>)] {
        &self.lists
    }

    fn purpose(&self) -> MutexGuard<'_, Purpose> {
        lock(&self.purpose)
    }

    /// Notes that the server refuses DELETEs in a missing namespace; the next survey takes that
    /// into account. Returns whether this is new in a search for stranded objects.
    pub fn no_delete_in(&self, namespace: &str) -> bool {
        let mut purpose = self.purpose();
        let Purpose::Orphans(scope) = &mut *purpose else { return false };
        scope.no_delete_in.insert(namespace.into())
    }

    /// Whether the server is known to refuse DELETEs in this missing namespace.
    pub fn is_no_delete_in(&self, namespace: &str) -> bool {
        matches!(&*self.purpose(), Purpose::Orphans(scope) if scope.no_delete_in.contains(namespace))
    }

    /// The namespace of objects that are named without one.
    pub fn namespace(&self) -> &str {
        &self.namespace
    }

    /// The resources that the server serves.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn discovery(&self) -> Result<Discovery, Failure> {
        let asked = async { discover(&self.connected.api).await.map_err(|refusal| self.no_server(&refusal)) };
        interrupt::unless(asked).await
    }

    /// From now on, surveys these targets, each once.
    pub fn choose(&self, mut targets: Vec<TargetName>) {
        let mut known = BTreeSet::new();
        targets.retain(|target| known.insert(target.clone()));
        *lock(&self.chosen) = Some(targets);
    }

    /// The same connection, for targets that were taken from these lists.
    #[must_use]
    pub fn taken_from(self, lists: Vec<(Want, Option<String>)>) -> Self {
        Self { lists, ..self }
    }

    /// Fixes the targets as the first report identified them. From now on only these are surveyed,
    /// even if other objects match the selection. Returns the targets that were fixed first.
    pub fn fix(&self, first: &Diagnosed) -> &[Ref] {
        self.fixed.get_or_init(|| {
            if !first.survey.purpose.finds_targets() {
                self.choose(first.survey.targets.clone());
            }
            first.report.targets.iter().map(|target| target.object.clone()).collect()
        })
    }

    /// Objects that are being deleted now and match the selection, but are not among the fixed
    /// targets.
    ///
    /// # Errors
    /// When a list cannot be read.
    pub async fn newcomers(&self) -> Result<Vec<TargetName>, Unread> {
        let Some(fixed) = self.fixed.get() else { return Ok(Vec::new()) };
        if self.purpose().finds_targets() {
            return Ok(Vec::new());
        }
        let known: HashSet<&str> = fixed.iter().map(|target| target.uid.as_str()).collect();
        let mut new = Vec::new();
        for (want, selector) in &self.lists {
            let going = listed(&self.connected.api, want, selector.as_deref()).await?;
            let going = going.iter().filter(|object| object.is_deleting() && !known.contains(object.uid()));
            new.extend(going.map(|object| TargetName::of(&want.resource, object)));
        }
        Ok(new)
    }

    /// Whether the user named the targets, rather than selecting them with a flag.
    pub fn is_named_by_hand(&self) -> bool {
        !self.named.is_empty()
    }

    fn chosen(&self) -> Option<Vec<TargetName>> {
        lock(&self.chosen).clone()
    }

    /// Remembers that this program has written to the cluster, so changes since the first look are
    /// its own.
    pub fn has_written(&self) {
        self.wrote.store(true, Ordering::Relaxed);
        // Its controller may have something else to say now.
        self.known_logs().clear();
    }

    /// Surveys and diagnoses the named objects.
    ///
    /// # Errors
    /// When the server cannot be reached or does not serve a TYPE; or on Ctrl-C.
    pub async fn diagnose(&self, freshness: Freshness) -> Result<Diagnosed, Failure> {
        let (survey, report) = self.answer(freshness, report).await?;
        Ok(Diagnosed { survey, report })
    }

    /// Surveys until the diagnosis is complete.
    ///
    /// # Errors
    /// As for [`Self::diagnose`].
    pub async fn answer<T>(
        &self,
        freshness: Freshness,
        answer: impl Fn(&Survey, &[TargetName]) -> (T, BTreeSet<Want>),
    ) -> Result<(Survey, T), Failure> {
        interrupt::unless(self.survey_and_answer(freshness, answer)).await
    }

    async fn survey_and_answer<T>(
        &self,
        freshness: Freshness,
        answer: impl Fn(&Survey, &[TargetName]) -> (T, BTreeSet<Want>),
    ) -> Result<(Survey, T), Failure> {
        let progress = Progress::new(&self.connected.server.to_string());
        let mut survey = begin(&self.connected.api, self.first_wants(), freshness)
            .await
            .map_err(|refusal| self.no_server(&refusal))?;
        survey.context.clone_from(&self.connected.context);
        survey.purpose.clone_from(&self.purpose());
        survey.logs = self.logs;
        survey.wrote = self.wrote.load(Ordering::Relaxed);
        survey.targets = self.targets(&survey)?;
        self.known_logs().iter().for_each(|(want, fact)| survey.lay_aside(want.clone(), fact.clone()));
        for round in 0..MAX_ROUNDS + MAX_CLOSING_ROUNDS {
            let targets = survey.targets.clone();
            let (answered, mut wants) = answer(&survey, &targets);
            if wants.is_empty() {
                let logs = survey.facts_unsorted().filter(|(want, _)| want.log.is_some());
                *self.known_logs() = logs.map(|(want, fact)| (want.clone(), fact.clone())).collect();
                return Ok((survey, answered));
            }
            if round >= MAX_ROUNDS {
                close(&mut survey, wants);
                continue;
            }
            survey.recall(&mut wants);
            progress.expect(reads(&wants));
            gather(&self.connected.api, wants, &mut survey, freshness, &|| progress.tick()).await;
        }
        Err(Failure::unknown("the diagnosis did not finish")
            .hint("please report it with a survey")
            .command(format!("{COMMAND} survey")))
    }

    fn known_logs(&self) -> MutexGuard<'_, Vec<(Want, Fact)>> {
        lock(&self.known_logs)
    }

    fn targets(&self, survey: &Survey) -> Result<Vec<TargetName>, Failure> {
        if survey.purpose.finds_targets() && self.named.is_empty() {
            return Ok(Vec::new());
        }
        if let Some(chosen) = self.chosen() {
            return Ok(chosen);
        }
        if self.named.is_empty() {
            return terminating_namespaces(survey);
        }
        let mut targets = Vec::new();
        for named in &self.named {
            let target = words::resolve_early(named, &self.namespace)
                .map_or_else(|| words::resolve(named, &survey.discovery, &self.namespace), Ok)?;
            if !targets.contains(&target) {
                targets.push(target);
            }
        }
        Ok(targets)
    }

    /// The facts that are needed in any case and can be read without discovery.
    fn first_wants(&self) -> BTreeSet<Want> {
        match &*self.purpose() {
            Purpose::Orphans(Scope { namespace: Some(name), .. }) => {
                return [Want::get(&all_namespaces().resource, None, name, Form::Metadata)].into();
            }
            Purpose::Orphans(_) => return [all_namespaces()].into(),
            Purpose::Apis => return [all_namespaces(), api_services()].into(),
            _ => {}
        }
        let early = || self.named.iter().filter_map(|named| words::resolve_early(named, &self.namespace));
        let chosen = self.chosen();
        let is_open = chosen.is_none() && self.named.is_empty();
        let targets = chosen.unwrap_or_else(|| early().collect());
        let mut wants: BTreeSet<Want> = targets.iter().map(TargetName::want).collect();
        if is_open {
            wants.insert(all_namespaces());
        }
        // A failing aggregated API blocks every namespace, and reads of it may hang.
        wants.insert(api_services());
        if wants.iter().any(|want| want.resource.plural == "namespaces") {
            wants.extend(admission());
        }
        // Every diagnosis of a pod reads its namespace.
        let around: Vec<Want> = wants
            .iter()
            .filter_map(|want| {
                Some(Want::get(&all_namespaces().resource, None, want.namespace.as_deref()?, Form::Metadata))
            })
            .collect();
        wants.extend(around);
        wants
    }

    fn no_server(&self, refusal: &Refusal) -> Failure {
        let unread = refusal.unread();
        let server = &self.connected.server;
        let failure = match unread.reason {
            Reason::Unauthorized => {
                return Failure::unknown(format!(
                    "the API server {server} does not accept the credentials: {}",
                    unread.message
                ))
                .hint("log in again: the certificate or token may have expired; this shows who you are")
                .command("kubectl auth whoami");
            }
            Reason::Garbled | Reason::NotServed => {
                Failure::unknown(format!("{server} does not answer as a Kubernetes API server: {}", unread.message))
            }
            _ => Failure::unknown(format!("the API server {server} cannot be reached: {unread}")),
        };
        failure
            .hint("choose another cluster with --context, or check whether this works with the same flags")
            .command("kubectl version")
    }
}

/// The resources that may refuse a deletion, in the versions that every supported server serves.
fn admission() -> impl Iterator<Item = Want> {
    let plurals = [
        "validatingwebhookconfigurations",
        "mutatingwebhookconfigurations",
        "validatingadmissionpolicies",
        "validatingadmissionpolicybindings",
    ];
    let id = |plural: &str| ResourceId::new("admissionregistration.k8s.io", "v1", plural);
    plurals.into_iter().map(move |plural| Want::list(&id(plural), None, Form::Whole))
}

fn all_namespaces() -> Want {
    Want::list(&ResourceId::new("", "v1", "namespaces"), None, Form::Metadata)
}

/// The targets if nothing was named.
fn terminating_namespaces(survey: &Survey) -> Result<Vec<TargetName>, Failure> {
    let resource = all_namespaces().resource;
    match survey.fact(&all_namespaces()) {
        Some(Fact::Listed(namespaces)) => {
            let terminating = namespaces.iter().filter(|namespace| namespace.is_deleting());
            Ok(terminating.map(|namespace| TargetName::of(&resource, namespace)).collect())
        }
        Some(Fact::Unread(why)) => Err(Failure::unknown(format!("the namespaces cannot be listed: {why}"))
            .hint("name the objects")
            .command(format!("{COMMAND} TYPE NAME"))),
        _ => Ok(Vec::new()),
    }
}
