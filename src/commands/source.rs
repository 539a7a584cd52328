//! Where facts come from: a cluster, or a recorded survey.

use super::interrupt;
use super::out;
use super::survey_file;
use super::unfinished;
use super::words::{self, Named};
use crate::cli::Cli;
use crate::cluster::connect::Connected;
use crate::cluster::discover::discover;
use crate::cluster::gather::{Freshness, api_services, begin, gather};
use crate::cluster::{IN_FLIGHT, METADATA};
use crate::diagnosis::{Diagnosis, apis, close, diagnose, diagnose_survey, orphans, preflight};
use crate::facts::SETTLE;
use crate::failure::Failure;
use crate::report::Report;
use crate::survey::{Cascade, Discovery, Fact, Form, Object, ResourceId, Scope, Survey, TargetName, Want, file};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;

/// Rules ask for facts in rounds; more than so many would be a ring.
const ROUNDS: usize = 16;

/// A recorded survey.
#[derive(Debug)]
pub struct Recorded {
    survey: Survey,
}

impl Recorded {
    /// Reads a survey's text; `from` says where it is from.
    ///
    /// # Errors
    /// When it is no survey.
    pub fn parse(text: &str, from: &str) -> Result<Self, Failure> {
        let survey = file::read(text).map_err(|error| Failure::unknown(format!("{from}: {error}")))?;
        Ok(Self { survey })
    }

    /// Reads a survey file, and its base if it names one; `-` is stdin.
    ///
    /// # Errors
    /// When one of them cannot be read or is no survey; or Ctrl-C.
    pub async fn open(path: &Path) -> Result<Self, Failure> {
        let path = path.to_owned();
        let read = move || Ok(Self { survey: survey_file::read(&path)? });
        // A pipe may keep the reader waiting, and a large file takes its time.
        let (sender, receiver) = oneshot::channel();
        let thread = std::thread::Builder::new().stack_size(file::STACK).spawn(move || sender.send(read()).ok());
        let gone = |error: &dyn std::fmt::Display| Failure::unknown(format!("no thread to read with: {error}"));
        thread.map_err(|error| gone(&error))?;
        interrupt::unless(async { receiver.await.unwrap_or_else(|error| Err(gone(&error))) }).await
    }

    /// Diagnoses what was named, or what the survey was taken for.
    ///
    /// # Errors
    /// When a TYPE is not known to it, or nothing is named at all.
    pub fn diagnose(&mut self, named: &[Named], namespace: &str) -> Result<Report, Failure> {
        if named.is_empty() && (self.survey.orphans.is_some() || self.survey.apis) {
            return self.close_with(|survey| with_wants(diagnose_survey(survey)));
        }
        self.answer(named, namespace, report)
    }

    /// Answers from what it holds; what it does not hold is unread.
    ///
    /// # Errors
    /// As [`Self::diagnose`].
    pub fn answer<T>(
        &mut self,
        named: &[Named],
        namespace: &str,
        answer: impl Fn(&Survey, &[TargetName]) -> (T, BTreeSet<Want>),
    ) -> Result<T, Failure> {
        let targets = if named.is_empty() {
            self.survey.targets.clone()
        } else {
            named
                .iter()
                .map(|named| words::resolve(named, &self.survey.discovery, namespace))
                .collect::<Result<_, _>>()?
        };
        if targets.is_empty() {
            return Err(Failure::unknown("the survey was taken for nothing in particular")
                .hint("name what to diagnose: TYPE NAME"));
        }
        self.close_with(|survey| answer(survey, &targets))
    }

    /// Looks for failing aggregated APIs in a survey, which need not have been taken
    /// for these.
    ///
    /// # Errors
    /// When the diagnosis does not come to an end.
    pub fn apis(&mut self) -> Result<Report, Failure> {
        self.close_with(|survey| with_wants(apis::diagnose(survey)))
    }

    /// Foresees a deletion from a survey that was taken for that.
    ///
    /// # Errors
    /// When it was not, or a TYPE is not known to it.
    pub fn preflight(&mut self, named: &[Named], namespace: &str) -> Result<Report, Failure> {
        if self.survey.preflight.is_none() {
            return Err(Failure::unknown("the survey was not taken for a preflight")
                .hint("`kubectl unstick survey preflight TYPE NAME` takes one that was"));
        }
        self.answer(named, namespace, report)
    }

    /// Looks for stranded objects in a survey that was taken for these.
    ///
    /// # Errors
    /// When it was not, or for another namespace.
    pub fn orphans(&mut self, namespace: Option<&str>) -> Result<Report, Failure> {
        let Some(taken_for) = self.survey.orphans.clone() else {
            return Err(Failure::unknown("the survey was not taken for orphans")
                .hint("`kubectl unstick survey orphans` takes one that was"));
        };
        let scope = match (&taken_for.namespace, namespace) {
            (Some(taken), Some(asked)) if taken != asked => {
                return Err(Failure::unknown(format!("the survey holds namespace {taken} alone"))
                    .hint(format!("leave out -n {asked}, or take another survey")));
            }
            (_, None) => taken_for,
            (_, Some(asked)) => Scope { namespace: Some(asked.into()), ..taken_for },
        };
        self.close_with(|survey| with_wants(orphans::diagnose(survey, &scope)))
    }

    fn close_with<T>(&mut self, answer: impl Fn(&Survey) -> (T, BTreeSet<Want>)) -> Result<T, Failure> {
        for _ in 0..ROUNDS {
            let (answered, wants) = answer(&self.survey);
            if wants.is_empty() {
                return Ok(answered);
            }
            close(&mut self.survey, wants);
        }
        Err(Failure::unknown("the diagnosis did not come to an end").hint("please report it with the survey"))
    }
}

/// A diagnosis as an answer: the report, and what is wanted for it.
fn report(survey: &Survey, targets: &[TargetName]) -> (Report, BTreeSet<Want>) {
    with_wants(match survey.preflight {
        _ if (survey.orphans.is_some() || survey.apis) && targets.is_empty() => diagnose_survey(survey),
        Some(cascade) => preflight::diagnose(survey, targets, cascade),
        None => diagnose(survey, targets),
    })
}

fn with_wants(diagnosis: Diagnosis) -> (Report, BTreeSet<Want>) {
    (diagnosis.report, diagnosis.wants)
}

/// A cluster, and what is asked about in it.
#[derive(Debug)]
pub struct Live {
    /// The connection.
    pub connected: Connected,
    named: Vec<Named>,
    namespace: String,
    /// Where stranded objects are looked for, instead of what was named.
    orphans: Option<Mutex<Scope>>,
    /// Aggregated APIs are looked at, instead of what was named.
    apis: bool,
    /// It is foreseen what a deletion of what was named would meet.
    preflight: Option<Cascade>,
    wrote: AtomicBool,
    logs: bool,
    /// What is left of what was named, or what was found by other means.
    chosen: Mutex<Option<Vec<TargetName>>>,
    /// Somebody else draws on the screen.
    silent: AtomicBool,
}

/// A diagnosis with the facts it rests on.
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
    /// When the connection flags or the kubeconfig do not say where to.
    pub async fn connect(cli: &Cli, named: Vec<Named>) -> Result<Self, Failure> {
        let connected = cli.connection.connection().connect().await?;
        let namespace = cli.connection.namespace.clone().unwrap_or_else(|| connected.namespace.clone());
        let (wrote, logs) = (AtomicBool::new(false), cli.options.logs);
        let (chosen, silent) = (Mutex::new(None), AtomicBool::new(false));
        let (orphans, apis, preflight) = (None, false, None);
        let live = Self { connected, named, namespace, orphans, apis, preflight, wrote, logs, chosen, silent };
        interrupt::unless(async {
            unfinished::say(&live).await;
            Ok(())
        })
        .await?;
        Ok(live)
    }

    /// Connects to look at the aggregated APIs.
    ///
    /// # Errors
    /// As for [`Self::connect`].
    pub async fn connect_for_apis(cli: &Cli) -> Result<Self, Failure> {
        Ok(Self { apis: true, ..Self::connect(cli, Vec::new()).await? })
    }

    /// Connects to foresee what a deletion of what was named would meet.
    ///
    /// # Errors
    /// As for [`Self::connect`].
    pub async fn connect_for_preflight(cli: &Cli, named: Vec<Named>, cascade: Cascade) -> Result<Self, Failure> {
        Ok(Self { preflight: Some(cascade), ..Self::connect(cli, named).await? })
    }

    /// The same connection, to look at other objects in one namespace.
    #[must_use]
    pub fn looking_at(self, named: Vec<Named>, namespace: Option<String>) -> Self {
        let namespace = namespace.unwrap_or_else(|| self.namespace.clone());
        Self { named, namespace, preflight: None, ..self }
    }

    /// Connects to look for stranded objects, in the namespace of `-n` alone if
    /// there is one.
    ///
    /// # Errors
    /// As for [`Self::connect`].
    pub async fn connect_for_orphans(cli: &Cli) -> Result<Self, Failure> {
        let scope = Scope { namespace: cli.connection.namespace.clone(), ..Scope::default() };
        Ok(Self { orphans: Some(Mutex::new(scope)), ..Self::connect(cli, Vec::new()).await? })
    }

    /// Looks for stranded objects. Before "nothing is stranded", and before
    /// anything that is `serious`, by a consistent look; what has no owners is
    /// given the time in which the garbage collector deletes it.
    ///
    /// # Errors
    /// As for [`Self::diagnose`].
    pub async fn look_for_orphans(&self, serious: impl Fn(&Report) -> bool) -> Result<Diagnosed, Failure> {
        let first = self.diagnose(Freshness::Cached).await?;
        let without_owners = orphans::without_owners(&first.report);
        let wait = !without_owners.is_empty();
        if wait {
            let pause = tokio::time::sleep(SETTLE.unsigned_abs());
            interrupt::unless(async {
                pause.await;
                Ok(())
            })
            .await?;
        }
        if let Some(mut scope) = self.scope() {
            scope.without_owners_before = Some(without_owners);
        }
        if wait || first.report.findings.is_empty() || serious(&first.report) {
            return self.diagnose(Freshness::Consistent).await;
        }
        Ok(first)
    }

    fn scope(&self) -> Option<MutexGuard<'_, Scope>> {
        self.orphans.as_ref().map(|scope| scope.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Notes that the server takes no DELETE in a missing namespace; the next
    /// look heeds it. Says whether that is news to somebody who looks for orphans.
    pub fn no_delete_in(&self, namespace: &str) -> bool {
        self.scope().is_some_and(|mut scope| scope.no_delete_in.insert(namespace.into()))
    }

    /// Whether that was noted.
    pub fn is_no_delete_in(&self, namespace: &str) -> bool {
        self.scope().is_some_and(|scope| scope.no_delete_in.contains(namespace))
    }

    /// The namespace of what is named without one.
    pub fn namespace(&self) -> &str {
        &self.namespace
    }

    /// What the server serves.
    ///
    /// # Errors
    /// When it cannot be asked.
    pub async fn discovery(&self) -> Result<Discovery, Failure> {
        let asked = async { discover(&self.connected.api).await.map_err(|refusal| self.no_server(&refusal)) };
        interrupt::unless(asked).await
    }

    /// From now on these are looked at, whatever was named.
    pub fn choose(&self, targets: Vec<TargetName>) {
        *self.chosen.lock().unwrap_or_else(PoisonError::into_inner) = Some(targets);
    }

    fn chosen(&self) -> Option<Vec<TargetName>> {
        self.chosen.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// From now on no progress of reading is drawn.
    pub fn draw_nothing(&self) {
        self.silent.store(true, Ordering::Relaxed);
    }

    /// Remembers that this program has written to the cluster: what has changed
    /// since the first look is its own doing.
    pub fn has_written(&self) {
        self.wrote.store(true, Ordering::Relaxed);
    }

    /// Surveys and diagnoses what was named.
    ///
    /// # Errors
    /// When the server cannot be reached or a TYPE is not served; or Ctrl-C.
    pub async fn diagnose(&self, freshness: Freshness) -> Result<Diagnosed, Failure> {
        let (survey, report) = self.answer(freshness, report).await?;
        Ok(Diagnosed { survey, report })
    }

    /// Surveys until what was named is answered.
    ///
    /// # Errors
    /// As [`Self::diagnose`].
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
        let mut survey = begin(&self.connected.api, self.first_wants(), freshness)
            .await
            .map_err(|refusal| self.no_server(&refusal))?;
        survey.context.clone_from(&self.connected.context);
        survey.orphans = self.scope().map(|scope| scope.clone());
        survey.apis = self.apis;
        survey.preflight = self.preflight;
        survey.logs = self.logs;
        survey.wrote = self.wrote.load(Ordering::Relaxed);
        survey.targets = self.targets(&survey)?;
        let progress = Progress::new(!self.silent.load(Ordering::Relaxed));
        for _ in 0..ROUNDS {
            let targets = survey.targets.clone();
            let (answered, wants) = answer(&survey, &targets);
            if wants.is_empty() {
                return Ok((survey, answered));
            }
            progress.expect(wants.len());
            gather(&self.connected.api, wants, &mut survey, freshness, &|| progress.tick()).await;
        }
        Err(Failure::unknown("the diagnosis did not come to an end")
            .hint("please report it with `kubectl unstick survey`"))
    }

    fn targets(&self, survey: &Survey) -> Result<Vec<TargetName>, Failure> {
        if self.orphans.is_some() || self.apis {
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

    /// What will be asked for anyway, and needs no discovery.
    fn first_wants(&self) -> BTreeSet<Want> {
        if let Some(scope) = self.scope() {
            let namespaces = all_namespaces().resource;
            return [match &scope.namespace {
                Some(name) => Want::get(&namespaces, None, name, Form::Metadata),
                None => all_namespaces(),
            }]
            .into();
        }
        if self.apis {
            return [all_namespaces(), api_services()].into();
        }
        let early = || self.named.iter().filter_map(|named| words::resolve_early(named, &self.namespace));
        let chosen = self.chosen();
        let is_open = chosen.is_none() && self.named.is_empty();
        let targets = chosen.unwrap_or_else(|| early().collect());
        let mut wants: BTreeSet<Want> = targets.iter().map(TargetName::want).collect();
        if is_open {
            wants.insert(all_namespaces());
        }
        // What holds up every namespace, and what reads of it may hang.
        wants.insert(api_services());
        if wants.iter().any(|want| want.resource.plural == "namespaces") {
            wants.extend(admission());
        }
        // A pod's namespace is asked for by every diagnosis of one.
        let around: Vec<Want> = wants
            .iter()
            .filter_map(|want| {
                Some(Want::get(&all_namespaces().resource, None, want.namespace.as_deref()?, Form::Metadata))
            })
            .collect();
        wants.extend(around);
        wants
    }

    fn no_server(&self, refusal: &crate::cluster::Refusal) -> Failure {
        let unread = refusal.unread();
        let server = &self.connected.server;
        let failure =
            match unread.reason {
                crate::survey::Reason::Unauthorized => return Failure::unknown(format!(
                    "the API server {server} does not accept the credentials: {}",
                    unread.message
                ))
                .hint(
                    "log in again: the certificate or token may have expired; `kubectl auth whoami` shows who you are",
                ),
                crate::survey::Reason::Garbled | crate::survey::Reason::NotServed => {
                    Failure::unknown(format!("{server} does not answer as a Kubernetes API server: {}", unread.message))
                }
                _ => Failure::unknown(format!("the API server {server} cannot be asked: {unread}")),
            };
        failure.hint("see whether `kubectl version` works with the same flags; choose another cluster with --context")
    }
}

/// What may refuse a deletion, as far as every server of today serves it.
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

/// What is looked at when nothing was named.
fn terminating_namespaces(survey: &Survey) -> Result<Vec<TargetName>, Failure> {
    let resource = all_namespaces().resource;
    match survey.fact(&all_namespaces()) {
        Some(Fact::Listed(namespaces)) => {
            let terminating = namespaces.iter().filter(|namespace| namespace.is_deleting());
            let named = |namespace: &Object| TargetName {
                resource: resource.clone(),
                namespace: None,
                name: namespace.name().into(),
            };
            Ok(terminating.map(named).collect())
        }
        Some(Fact::Unread(why)) => Err(Failure::unknown(format!("the namespaces cannot be listed: {why}"))
            .hint("name what to look at: kubectl unstick TYPE NAME")),
        _ => Ok(Vec::new()),
    }
}

/// What is over sooner needs no bar.
const NOT_AT_ONCE: Duration = Duration::from_millis(300);

/// A bar on stderr for reads that may take long, and only on a terminal.
struct Progress {
    bar: OnceLock<ProgressBar>,
    drawn: bool,
}

impl Progress {
    fn new(drawn: bool) -> Self {
        Self { bar: OnceLock::new(), drawn: drawn && out::can_draw() }
    }

    fn expect(&self, more: usize) {
        if more > IN_FLIGHT && self.drawn {
            let bar = self.bar.get_or_init(bar);
            bar.set_length(bar.length().unwrap_or_default() + more as u64);
        }
    }

    fn tick(&self) {
        let Some(bar) = self.bar.get() else { return };
        bar.inc(1);
        if bar.is_hidden() && bar.elapsed() > NOT_AT_ONCE {
            bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }
}

fn bar() -> ProgressBar {
    let style = ProgressStyle::with_template("reading {pos}/{len} lists {wide_bar}");
    let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::hidden());
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}

impl Live {
    /// The uid of kube-system, by which a cluster is known again.
    pub async fn cluster_uid(&self) -> Option<String> {
        let answer = self.connected.api.get("/api/v1/namespaces/kube-system", METADATA).await.ok()?;
        let object: Object = serde_json::from_slice(&answer.body).ok()?;
        Some(object.metadata.uid)
    }
}
