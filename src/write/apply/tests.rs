//! Steps against a server that holds one object and behaves as each test requires.

#![expect(clippy::disallowed_methods, reason = "a journal is a file")]

use super::*;
use crate::journal::RunHeader;
use crate::plan::Approval;
use crate::plan::steps::{delete_object, finalize_namespace, recreate_namespace, remove_finalizer};
use crate::report::{Named, Ref, Risk, Step};
use crate::survey::Resource;
use crate::transport::http::stand_in::stand_in;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

mod answers;

const HELD: &str = "acme.io/hold";
const OBJECT: &str = "GET";
const DRY_RUN: &str = "PATCH?dryRun=All";
const WRITE: &str = "PATCH";
const WHO: &str = "POST";

/// The server's faulty answer to a request, given how many of its kind came before; `None` for the
/// answer of a healthy server.
type Fault = fn(&str, usize) -> Option<u16>;
/// A change of the object by others.
type Alteration = fn(&mut Option<Value>);

/// The server's object, and the requests so far.
#[derive(Debug, Default)]
struct ServerState {
    object: Option<Value>,
    asked: Vec<String>,
    /// Whether another server may serve the object: a read of its `APIService` then returns what a
    /// read of the object does.
    is_behind: bool,
}

#[derive(Clone)]
struct StandIn {
    api: Api,
    world: Arc<Mutex<ServerState>>,
}

impl StandIn {
    /// A server that answers requests with a fault by that status, and does nothing else.
    fn new(fault: Fault) -> Self {
        Self::that(fault, false)
    }

    /// A server that carries out writes despite the fault.
    fn that_loses_answers(fault: Fault) -> Self {
        Self::that(fault, true)
    }

    fn that(fault: Fault, happens: bool) -> Self {
        let object = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "settings", "namespace": "shop",
            "uid": "u1", "deletionTimestamp": "2026-01-01T00:00:00Z", "finalizers": [HELD, "b.io/y"]}});
        let world = Arc::new(Mutex::new(ServerState { object: Some(object), ..ServerState::default() }));
        let seen = Arc::clone(&world);
        let api = stand_in(Duration::from_secs(5), move |_, request| {
            let query = request.uri().query().map(|query| format!("?{query}")).unwrap_or_default();
            let mut world = seen.lock().unwrap();
            let own = registration(request.uri().path()).filter(|_| !world.is_behind);
            let answer = own.unwrap_or_else(|| world.answer(&format!("{}{query}", request.method()), fault, happens));
            std::future::ready(answer)
        });
        Self { api, world }
    }

    /// The same server with a changed object.
    fn with(self, change: impl FnOnce(&mut Option<Value>)) -> Self {
        change(&mut self.world.lock().unwrap().object);
        self
    }

    fn asked(&self) -> Vec<String> {
        self.world.lock().unwrap().asked.clone()
    }

    /// The outcome of removing a finalizer.
    async fn remove(&self, journal: Option<&mut Run>) -> Outcome {
        carry_out(&self.api, &removal(), journal, &|| false).await
    }
}

impl ServerState {
    fn answer(&mut self, what: &str, fault: Fault, happens: bool) -> (u16, String) {
        let before = self.asked.iter().filter(|asked| *asked == what).count();
        self.asked.push(what.to_owned());
        let fault = fault(what, before);
        if what == WRITE && (fault.is_none() || happens) {
            self.write();
        }
        match fault {
            Some(status) => (status, refusal(status)),
            None if what == WHO => (201, json!({"status": {"userInfo": {"username": "ann"}}}).to_string()),
            None if what == DRY_RUN => {
                (200, without_the_finalizer(self.object.clone()).unwrap_or_default().to_string())
            }
            None if what == WRITE => (200, "{}".into()),
            None => self.object.as_ref().map_or_else(|| (404, refusal(404)), |object| (200, object.to_string())),
        }
    }

    fn write(&mut self) {
        self.object = without_the_finalizer(self.object.take());
    }
}

fn without_the_finalizer(object: Option<Value>) -> Option<Value> {
    let mut object = object?;
    object["metadata"]["finalizers"].as_array_mut()?.retain(|key| key != HELD);
    Some(object)
}

fn refusal(status: u16) -> String {
    let reason = if status == 404 { "NotFound" } else { "Other" };
    json!({"kind": "Status", "apiVersion": "v1", "status": "Failure", "message": format!("fault {status}"),
        "reason": reason, "code": status, "details": {"name": "settings"}})
    .to_string()
}

/// The requested `APIService`, if the path names one: the API server itself serves everything.
fn registration(path: &str) -> Option<(u16, String)> {
    let name = path.strip_prefix("/apis/apiregistration.k8s.io/v1/apiservices/")?;
    Some((200, json!({"kind": "APIService", "metadata": {"name": name}, "spec": {}}).to_string()))
}

fn settings() -> Ref {
    Ref::from(Named {
        api_version: "v1".into(),
        kind: "ConfigMap".into(),
        resource: "configmaps".into(),
        namespace: Some("shop".into()),
        name: "settings".into(),
        uid: "u1".into(),
        missing: false,
    })
}

fn removal() -> Step {
    remove_finalizer::step(&settings(), &[HELD.into(), "b.io/y".into()], HELD)
}

fn finalization() -> Step {
    let namespace = Ref::from(Named {
        api_version: "v1".into(),
        kind: "Namespace".into(),
        resource: "namespaces".into(),
        name: "shop".into(),
        uid: "u1".into(),
        ..Named::default()
    });
    finalize_namespace::step(&namespace, "kubernetes")
}

/// A journal for one test. Dropping it removes its folder.
struct Journal {
    run: Run,
    folder: PathBuf,
}

impl Journal {
    fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("unstick-apply-{}-{number}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        let header = RunHeader { server: "s".into(), ..RunHeader::default() };
        let mut approval = Approval::default();
        for step in [removal(), delete_object::step(&settings()), recreate_namespace::step("shop"), finalization()] {
            approval.agree(step.identity(), Risk::LosesData);
        }
        Self { run: Run::new(Some(folder.clone()), header, approval), folder }
    }

    /// The records so far.
    fn records(&self) -> Vec<Value> {
        let text = self.run.path().map(|path| std::fs::read_to_string(path).unwrap()).unwrap_or_default();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn healthy(_: &str, _: usize) -> Option<u16> {
    None
}

/// Asserts that the step is refused, and nothing is written or recorded; returns the message.
async fn nothing_written(server: &StandIn) -> String {
    let mut journal = Journal::new();
    let outcome = server.remove(Some(&mut journal.run)).await;
    assert!(!server.asked().contains(&WRITE.to_owned()), "{outcome:?}");
    assert_eq!(journal.records(), Vec::<Value>::new());
    assert_eq!(outcome.word(), "refused");
    assert!(!outcome.is_good());
    outcome.text().to_owned()
}

#[tokio::test]
async fn a_step_is_read_dry_run_recorded_written_and_verified() {
    let (server, mut journal) = (StandIn::new(healthy), Journal::new());
    let outcome = server.remove(Some(&mut journal.run)).await;
    assert_eq!(outcome, Outcome::Done(format!("{HELD} is removed from ConfigMap shop/settings")));
    assert!(outcome.is_good());
    assert_eq!(server.asked(), [OBJECT, DRY_RUN, WHO, WRITE, OBJECT]);
    let records = journal.records();
    let kinds: Vec<&str> = records.iter().map(|record| record["record"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["run", "intend", "outcome"]);
    assert_eq!(records[0]["who"], "ann");
    assert_eq!(records[1]["before"]["metadata"]["finalizers"], json!([HELD, "b.io/y"]));
    assert_eq!((&records[2]["outcome"], &records[2]["text"]), (&json!("done"), &json!(outcome.text())));
}

#[tokio::test]
async fn the_user_is_queried_once_per_run() {
    let (server, mut journal) = (StandIn::new(healthy), Journal::new());
    server.remove(Some(&mut journal.run)).await;
    let again = server.clone().with(|object| object.as_mut().unwrap()["metadata"]["finalizers"] = json!([HELD]));
    again.remove(Some(&mut journal.run)).await;
    assert_eq!(again.asked().iter().filter(|asked| *asked == WHO).count(), 1);
}

#[tokio::test]
async fn without_a_journal_it_ends_with_the_dry_run() {
    let server = StandIn::new(healthy);
    let outcome = server.remove(None).await;
    assert_eq!(outcome, Outcome::WouldDo("the server would accept it".into()));
    assert_eq!((outcome.word(), outcome.is_good()), ("would-do", true));
    assert_eq!(server.asked(), [OBJECT, DRY_RUN]);
}

#[tokio::test]
async fn no_dry_runs_for_possibly_aggregated_apis() {
    for api_version in ["acme.io/v1", "apps/v9", "v1"] {
        let server = StandIn::new(|what, before| (what == "GET" && before == 1 || what == DRY_RUN).then_some(403));
        server.world.lock().unwrap().is_behind = true;
        let object =
            Ref::from(Named { api_version: api_version.into(), resource: "databases".into(), ..settings().parts() });
        let step = remove_finalizer::step(&object, &[HELD.into()], HELD);
        let untried = carry_out(&server.api, &step, None, &|| false).await;
        assert!(matches!(&untried, Outcome::WouldDo(text) if text == UNTRIED), "{untried:?}");
        assert_eq!(server.asked(), ["GET", "GET"]);
        // The step is written all the same, once it is recorded.
        let mut journal = Journal::new();
        journal.run.approval.agree(step.identity(), Risk::Leaks);
        carry_out(&server.api, &step, Some(&mut journal.run), &|| false).await;
        assert!(!server.asked().contains(&DRY_RUN.to_owned()) && server.asked().contains(&WRITE.to_owned()));
        assert_eq!(journal.records()[1]["record"], "intend");
    }
}

#[tokio::test]
async fn nothing_is_written_after_an_interruption() {
    let (server, mut journal) = (StandIn::new(healthy), Journal::new());
    let outcome = carry_out(&server.api, &removal(), Some(&mut journal.run), &|| true).await;
    assert_eq!(outcome, Outcome::Refused("interrupted before anything was written".into()));
    assert_eq!(server.asked(), [OBJECT, DRY_RUN]);
}

#[tokio::test]
async fn objects_that_differ_from_what_was_shown_are_left_alone() {
    let uid = |object: &mut Option<Value>| object.as_mut().unwrap()["metadata"]["uid"] = json!("u2");
    let said = nothing_written(&StandIn::new(healthy).with(uid)).await;
    assert!(said.contains("another"), "{said}");
    let alive = |object: &mut Option<Value>| object.as_mut().unwrap()["metadata"]["deletionTimestamp"] = Value::Null;
    let said = nothing_written(&StandIn::new(healthy).with(alive)).await;
    assert!(said.contains("not being deleted"), "{said}");
}

#[tokio::test]
async fn satisfied_steps_are_skipped() {
    let off = |object: &mut Option<Value>| *object = without_the_finalizer(object.take());
    let gone = |object: &mut Option<Value>| *object = None;
    let changes: [(Alteration, &str); 2] = [(off, "no longer has the finalizer"), (gone, "gone")];
    for (change, words) in changes {
        let (server, mut journal) = (StandIn::new(healthy).with(change), Journal::new());
        let outcome = server.remove(Some(&mut journal.run)).await;
        assert!(matches!(&outcome, Outcome::AlreadySo(text) if text.contains(words)), "{outcome:?}");
        assert_eq!((outcome.word(), outcome.is_good()), ("already-so", true));
        assert_eq!(server.asked(), [OBJECT]);
    }
}

#[tokio::test]
async fn objects_that_cannot_be_read_again_are_left_alone() {
    let said = nothing_written(&StandIn::new(|what, _| (what == OBJECT).then_some(403))).await;
    assert!(said.contains("cannot be read again") && said.contains("fault 403"), "{said}");
    let garbled = |object: &mut Option<Value>| *object = Some(json!([]));
    let said = nothing_written(&StandIn::new(healthy).with(garbled)).await;
    assert!(said.contains("cannot be read again"), "{said}");
}

#[tokio::test]
async fn a_refused_dry_run_prevents_the_write() {
    let said = nothing_written(&StandIn::new(|what, _| (what == DRY_RUN).then_some(403))).await;
    assert_eq!(said, "the server refuses it: fault 403");
    let said = nothing_written(&StandIn::new(|what, _| (what == DRY_RUN).then_some(500))).await;
    assert!(said.starts_with("nothing was written: its dry run failed: "), "{said}");
}

#[tokio::test]
async fn a_removal_is_useless_if_its_dry_run_still_shows_the_finalizer() {
    let server = StandIn::new(healthy);
    let shown = server.api.get("/", WHOLE).await.unwrap_or_else(|refusal| panic!("{}", refusal.message));
    assert!(in_vain(&removal(), &shown).is_some_and(|why| why.contains("adds it again")));
    let off = server.with(|object| *object = without_the_finalizer(object.take()));
    let shown = off.api.get("/", WHOLE).await.unwrap_or_else(|refusal| panic!("{}", refusal.message));
    assert_eq!(in_vain(&removal(), &shown), None);
}

#[tokio::test]
async fn conflicts_are_retried_until_the_third_attempt() {
    let server = StandIn::new(|what, before| (what == DRY_RUN && before < 2).then_some(409));
    let outcome = server.remove(Some(&mut Journal::new().run)).await;
    assert_eq!(outcome.word(), "done");
    assert_eq!(server.asked(), [OBJECT, DRY_RUN, OBJECT, DRY_RUN, OBJECT, DRY_RUN, WHO, WRITE, OBJECT]);
    let server = StandIn::new(|what, _| (what == DRY_RUN).then_some(409));
    assert_eq!(nothing_written(&server).await, "the server refuses it: fault 409");
    assert_eq!(server.asked().len(), 2 * MAX_ATTEMPTS);
    let (server, mut journal) =
        (StandIn::new(|what, before| (what == WRITE && before < 1).then_some(409)), Journal::new());
    assert_eq!(server.remove(Some(&mut journal.run)).await.word(), "done");
    let outcomes: Vec<Value> = journal.records().iter().map(|record| record["outcome"].clone()).collect();
    assert_eq!(outcomes, [json!(null), json!(null), json!("conflict"), json!(null), json!("done")]);
}

#[tokio::test]
async fn refused_writes_are_reported_and_recorded() {
    let mut journal = Journal::new();
    let server = StandIn::new(|what, _| (what == WRITE).then_some(403));
    let outcome = server.remove(Some(&mut journal.run)).await;
    assert_eq!(outcome, Outcome::Refused("the server refuses it: fault 403".into()));
    assert_eq!(journal.records()[2]["outcome"], "refused");
}

#[tokio::test]
async fn a_write_whose_answer_is_lost_is_judged_by_the_object() {
    let server = StandIn::that_loses_answers(|what, _| (what == WRITE).then_some(500));
    assert_eq!(server.remove(Some(&mut Journal::new().run)).await.word(), "done");
    let server = StandIn::new(|what, _| (what == WRITE).then_some(500));
    let outcome = server.remove(Some(&mut Journal::new().run)).await;
    assert_eq!((outcome.word(), outcome.is_good()), ("unconfirmed", false));
    assert_eq!(outcome.text(), format!("fault 500; ConfigMap shop/settings still has the finalizer {HELD}"));
    let looks = server.asked().iter().filter(|asked| *asked == OBJECT).count();
    assert!(looks < 20, "each pause is longer than the last: {looks} looks in {SHOWS_WITHIN:?}");
}

#[tokio::test]
async fn a_404_counts_as_already_gone_only_if_the_object_is_gone() {
    let server = StandIn::that_loses_answers(|what, before| match what {
        WRITE => Some(404),
        OBJECT if before > 0 => Some(404),
        _ => None,
    });
    let outcome = server.remove(Some(&mut Journal::new().run)).await;
    assert_eq!(outcome, Outcome::AlreadySo("ConfigMap shop/settings is already gone".into()));
    let server = StandIn::new(|what, _| (what == WRITE).then_some(404));
    assert_eq!(server.remove(Some(&mut Journal::new().run)).await.word(), "refused");
    let server = StandIn::new(|what, before| match what {
        WRITE => Some(403),
        OBJECT if before > 0 => Some(404),
        _ => None,
    });
    assert_eq!(server.remove(Some(&mut Journal::new().run)).await.word(), "refused");
}

#[tokio::test]
async fn creating_a_missing_namespace_never_counts_as_already_gone() {
    for (status, word) in [(None, "done"), (Some(404), "refused")] {
        let namespace = Arc::new(Mutex::new(None));
        let api = stand_in(Duration::from_secs(5), move |_, request| {
            let is_write = request.method() == "POST" && request.uri().path() == "/api/v1/namespaces";
            let answer = match status {
                Some(status) if is_write && request.uri().query().is_none() => (status, refusal(status)),
                _ if is_write && request.uri().query().is_none() => {
                    let made = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop",
                        "uid": "u1", "annotations": {"unstick.dev/recreated": "yes"}}});
                    (201, namespace.lock().unwrap().insert(made).to_string())
                }
                _ if request.method() == "POST" => (201, "{}".into()),
                _ => match namespace.lock().unwrap().as_ref() {
                    Some(made) => (200, made.to_string()),
                    None => (404, refusal(404)),
                },
            };
            std::future::ready(registration(request.uri().path()).unwrap_or(answer))
        });
        let mut journal = Journal::new();
        let outcome = carry_out(&api, &recreate_namespace::step("shop"), Some(&mut journal.run), &|| false).await;
        assert_eq!(outcome.word(), word, "{outcome:?}");
    }
}

#[tokio::test]
async fn nothing_is_written_without_a_journal_record() {
    let (server, journal) = (StandIn::new(healthy), Journal::new());
    std::fs::write(&journal.folder, "no folder").unwrap();
    let mut run = Run::new(Some(journal.folder.join("below")), RunHeader::default(), Approval::default());
    run.approval.agree(removal().identity(), Risk::Leaks);
    let outcome = server.remove(Some(&mut run)).await;
    assert!(outcome.text().starts_with("nothing was written: the journal cannot be written: "), "{outcome:?}");
    assert!(!server.asked().contains(&WRITE.to_owned()));
    std::fs::remove_file(&journal.folder).unwrap();
}

#[tokio::test]
async fn a_namespace_not_known_to_be_empty_is_left_alone() {
    let server = StandIn::new(|what, before| (what != OBJECT || before > 0).then_some(403)).with(|object| {
        *object = Some(json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop", "uid": "u1",
            "deletionTimestamp": "2026-01-01T00:00:00Z"}, "spec": {"finalizers": ["kubernetes"]},
            "status": {"conditions": [{"type": "NamespaceDeletionContentFailure", "status": "False",
                "lastTransitionTime": "2026-01-01T00:00:05Z"}]}}));
    });
    let outcome = carry_out(&server.api, &finalization(), Some(&mut Journal::new().run), &|| false).await;
    assert_eq!(outcome.word(), "refused", "{outcome:?}");
    assert!(outcome.text().contains("cannot read whether Namespace shop is empty"), "{outcome:?}");
    assert!(server.asked().iter().all(|asked| asked.starts_with("GET")), "{:?}", server.asked());
}

#[tokio::test]
async fn review_versions_are_tried_until_one_is_served() {
    assert_eq!(who(&StandIn::new(healthy).api).await.as_deref(), Some("ann"));
    let old = |_: &str, before: usize| (before < 2).then_some(404);
    assert_eq!(who(&StandIn::new(old).api).await.as_deref(), Some("ann"));
    assert_eq!(who(&StandIn::new(|_, _| Some(404)).api).await, None);
    let refused = StandIn::new(|_, before| (before < 1).then_some(403));
    assert_eq!((who(&refused.api).await, refused.asked().len()), (None, 1));
}

#[tokio::test]
async fn a_target_is_gone_when_another_has_its_name() {
    let target = settings().target();
    let server = StandIn::new(healthy);
    assert_eq!(is_gone(&server.api, &target, "u1").await, Ok(false));
    assert_eq!(is_gone(&server.api, &target, "u2").await, Ok(true));
    assert_eq!(is_gone(&server.api, &target, "").await, Ok(false), "it was not there before");
    assert_eq!(is_gone(&StandIn::new(|_, _| Some(404)).api, &target, "u1").await, Ok(true));
    assert!(is_gone(&StandIn::new(|_, _| Some(403)).api, &target, "u1").await.is_err());
    assert_eq!(look(&server.api, &removal()).await, Ok((Guard::Holds, "u1".into())));
    assert!(look(&StandIn::new(|_, _| Some(403)).api, &removal()).await.is_err());
}

#[tokio::test]
async fn an_owner_exists_only_with_the_same_uid() {
    let kind = Resource::tested("", "configmaps", "ConfigMap", true);
    let discovery = Discovery { resources: vec![kind], stale: vec!["acme.io/v1".into()] };
    let owner = |api_version: &str, uid: &str| json!({"apiVersion": api_version, "kind": "ConfigMap", "name": "settings", "uid": uid});
    let api = StandIn::new(healthy).api;
    assert_eq!(is_owner_there(&api, &discovery, &owner("v1", "u1"), Some("shop")).await, Ok(true));
    assert_eq!(is_owner_there(&api, &discovery, &owner("v1", "u2"), Some("shop")).await, Ok(false));
    assert_eq!(is_owner_there(&api, &discovery, &owner("b.io/v1", "u1"), Some("shop")).await, Ok(false));
    let silent = is_owner_there(&api, &discovery, &owner("acme.io/v1", "u1"), Some("shop")).await;
    assert_eq!(silent, Err("acme.io/v1 does not answer".into()));
}

#[test]
fn a_refusal_for_a_missing_namespace_is_recognized() {
    let outcome = Outcome::Refused("the server refuses it: namespaces \"shop\" not found".into());
    assert!(outcome.is_for_want_of("shop"));
    assert!(!outcome.is_for_want_of("bar"));
    assert!(!Outcome::Done("namespaces \"shop\" not found".into()).is_for_want_of("shop"));
}

#[tokio::test]
async fn objects_in_existing_namespaces_are_not_deleted_as_stranded() {
    let alive = |object: &mut Option<Value>| object.as_mut().unwrap()["metadata"]["deletionTimestamp"] = Value::Null;
    let (server, mut journal) = (StandIn::new(healthy).with(alive), Journal::new());
    let outcome = carry_out(&server.api, &delete_object::step(&settings()), Some(&mut journal.run), &|| false).await;
    let text = "namespace shop exists again: its content is no longer stranded";
    assert_eq!(outcome, Outcome::Refused(text.into()));
    assert_eq!(server.asked(), [OBJECT, OBJECT]);
}
