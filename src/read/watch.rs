//! Watches: reports all existing objects and then each change, until the receiver is closed. It
//! takes one list and one request that stays open, and another list only if the server has
//! forgotten the changes since.

use crate::read::list::{ListRequest, WHOLE};
use crate::read::sharing::{Members, WatchGroup};
use crate::read::sieve::{KeptObjects, Sieve};
use crate::survey::{Form, Object, Unread, Want, encode};
use crate::transport::http::{Api, METADATA, Stream};
use crate::transport::refusal::Refusal;
use http::StatusCode;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::sync::mpsc::Sender;

/// How long the server serves a watch. When the server has ended it, it is resumed.
const SERVED_FOR: Duration = Duration::from_mins(5);
/// After this long without any event, the connection is dead.
const SILENT_FOR: Duration = Duration::from_secs(SERVED_FOR.as_secs() + 20);
/// The pauses between tries to reach a server that does not answer grow from the first to the
/// longest.
const FIRST_PAUSE: Duration = Duration::from_millis(500);
const MAX_PAUSE: Duration = Duration::from_secs(10);
/// How often to read a place that may not be watched.
const POLL_EVERY: Duration = Duration::from_secs(10);
/// A watch that ends sooner than this and has shown nothing did not work.
const MIN_WATCH: Duration = Duration::from_secs(1);

/// A report of a watch.
#[derive(Debug, Clone, PartialEq)]
pub enum News {
    /// All objects that exist now.
    Listed(Vec<Object>),
    /// An object was created or changed.
    Changed(Box<Object>),
    /// The object with this uid is gone.
    Gone(String),
    /// The server does not answer; the watch keeps trying.
    Silent(Unread),
    /// The place may not be watched and is read at intervals.
    Polled(Unread),
}

/// News about a followed place.
#[derive(Debug, Clone, PartialEq)]
pub struct Update {
    /// A list, or one object. For polled groups, there is one update for everything that is read
    /// together.
    pub place: Want,
    /// The news.
    pub news: News,
}

/// The reason why a watch ended.
enum WatchEnd {
    /// The receiver is closed.
    Unheard,
    /// The server has forgotten the changes since: start again with a list.
    Forgotten,
    /// The place may be listed but not watched, or only parts of it may be read.
    NotWatched(Refusal),
    /// No answer, or an error.
    Failed(Refusal),
}

/// Follows a group by one watch until the receiver is closed.
pub async fn watch(api: Api, group: WatchGroup, heard: Sender<Update>) {
    let watch = Watch::new(api, group, heard);
    let mut pause = FIRST_PAUSE;
    loop {
        match watch.follow(&mut pause).await {
            WatchEnd::Unheard => return,
            WatchEnd::Forgotten => tokio::time::sleep(FIRST_PAUSE).await,
            WatchEnd::NotWatched(refusal) => {
                let polled = News::Polled(refusal.unread());
                if watch.tell(&watch.group.place, polled).await {
                    watch.poll(None).await;
                }
                return;
            }
            WatchEnd::Failed(refusal) => {
                // The failure that ended the watch may also have cut idle connections, so a first
                // failure is not reported.
                let is_first = pause == FIRST_PAUSE && !watch.heard.is_closed();
                if !is_first && !watch.tell_of_silence(&watch.group, &refusal).await {
                    return;
                }
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(MAX_PAUSE);
            }
        }
    }
}

/// Follows a group by reading it at intervals until the receiver is closed. Each read takes one of
/// `seats`.
pub(crate) async fn poll(api: Api, group: WatchGroup, heard: Sender<Update>, seats: Arc<Semaphore>) {
    Watch::new(api, group, heard).poll(Some(&seats)).await;
}

struct Watch {
    api: Api,
    group: WatchGroup,
    members: Members,
    heard: Sender<Update>,
}

impl Watch {
    fn new(api: Api, group: WatchGroup, heard: Sender<Update>) -> Self {
        let members = Members::of(&group);
        Self { api, group, members, heard }
    }

    /// Sends news; false if the receiver is closed.
    async fn tell(&self, place: &Want, news: News) -> bool {
        self.heard.send(Update { place: place.clone(), news }).await.is_ok()
    }

    /// Sends news to each of these members; false if the receiver is closed.
    async fn tell_each<'w>(
        &self,
        members: impl IntoIterator<Item = &'w Want>,
        mut news: impl FnMut(&Want) -> News,
    ) -> bool {
        for member in members {
            if !self.tell(member, news(member)).await {
                return false;
            }
        }
        true
    }

    /// Sends each member of `group` its list.
    async fn tell_of_all(&self, group: &WatchGroup, mut listed: HashMap<Want, Vec<Object>>) -> bool {
        self.tell_each(&group.members, |member| News::Listed(listed.remove(member).unwrap_or_default())).await
    }

    async fn tell_of_silence(&self, group: &WatchGroup, refusal: &Refusal) -> bool {
        self.tell_each(&group.members, |_| News::Silent(refusal.unread())).await
    }

    /// Reports to the members that follow an object that it has changed, or is gone.
    async fn tell_of_object(&self, object: &Object, is_gone: bool) -> bool {
        let gone = || News::Gone(object.uid().to_owned());
        let news = |_: &Want| if is_gone { gone() } else { News::Changed(Box::new(object.clone())) };
        self.tell_each(self.members.that_follow(object), news).await
    }

    /// Lists, and follows the changes since then.
    async fn follow(&self, pause: &mut Duration) -> WatchEnd {
        let (listed, mut version) = match self.list(&self.group).await {
            Ok(listed) => listed,
            Err(refusal) if is_forbidden(&refusal) && !self.group.parts().is_empty() => {
                return WatchEnd::NotWatched(refusal);
            }
            Err(refusal) => return WatchEnd::Failed(refusal),
        };
        *pause = FIRST_PAUSE;
        if !self.tell_of_all(&self.group, listed).await {
            return WatchEnd::Unheard;
        }
        let mut in_vain = FIRST_PAUSE;
        loop {
            let begun = tokio::time::Instant::now();
            let before = version.clone();
            let mut stream = match self.open(&version).await {
                Ok(stream) => stream,
                Err(refusal) => return after(refusal),
            };
            if let Some(end) = self.read(&mut stream, &mut version).await {
                return end;
            }
            // A proxy on the way may cut off open requests.
            if version == before && begun.elapsed() < MIN_WATCH {
                tokio::time::sleep(in_vain).await;
                in_vain = (in_vain * 2).min(MAX_PAUSE);
            } else {
                in_vain = FIRST_PAUSE;
            }
        }
    }

    /// Reads a watch to its end. `None` means that it should be resumed, also if its connection broke.
    async fn read(&self, stream: &mut Stream, version: &mut String) -> Option<WatchEnd> {
        loop {
            let line = tokio::select! {
                line = stream.line(SILENT_FOR) => line,
                () = self.heard.closed() => return Some(WatchEnd::Unheard),
            };
            let line = line.ok()??;
            let (object, is_gone) = match event(&line, self.group.place.form == Form::Whole) {
                Event::Change(object) => (object, false),
                Event::Gone(object) => (object, true),
                Event::Bookmark(object) => {
                    note(&object, version);
                    continue;
                }
                Event::Error => return Some(WatchEnd::Forgotten),
            };
            note(&object, version);
            if !self.tell_of_object(&object, is_gone).await {
                return Some(WatchEnd::Unheard);
            }
        }
    }

    async fn open(&self, version: &str) -> Result<Stream, Refusal> {
        let place = &self.group.place;
        let accept = if place.form == Form::Whole { WHOLE } else { METADATA };
        let (from, selector) = (encode(version), selector(&self.group));
        let seconds = SERVED_FOR.as_secs();
        let query =
            format!("watch=true&allowWatchBookmarks=true&timeoutSeconds={seconds}&resourceVersion={from}{selector}");
        self.api.stream(&format!("{}?{query}", place.path()), accept).await
    }

    /// Lists from the store: a cache may be older than the changes seen so far. Keeps only followed
    /// objects.
    async fn list(&self, group: &WatchGroup) -> Result<(HashMap<Want, Vec<Object>>, String), Refusal> {
        let sieve = Sieve { only: only(group), ..Sieve::of(&group.place) };
        let listing =
            ListRequest { filter: selector(group), sieve, ..ListRequest::of(&self.api.apart(), &group.place) };
        let list = listing.paged().await?;
        let mut listed: HashMap<Want, Vec<Object>> = HashMap::new();
        for object in list.objects {
            for member in self.members.that_follow(&object) {
                listed.entry(member.clone()).or_default().push(object.clone());
            }
        }
        Ok((listed, list.head.resource_version))
    }

    /// Reads a group at intervals, because it may not be watched.
    async fn poll(&self, seats: Option<&Semaphore>) {
        loop {
            let seat = match seats {
                Some(seats) => seats.acquire().await.ok(),
                None => None,
            };
            if !self.read_once().await {
                return;
            }
            drop(seat);
            tokio::select! {
                () = tokio::time::sleep(POLL_EVERY) => {}
                () = self.heard.closed() => return,
            }
        }
    }

    /// Reads everything once, in parts if the whole is forbidden. False if the receiver is closed.
    async fn read_once(&self) -> bool {
        let mut open = vec![self.group.clone()];
        while let Some(group) = open.pop() {
            let read = if group.place.name.is_some() { self.get(&group).await } else { self.list(&group).await };
            let is_heard = match read {
                Ok((listed, _)) => self.tell_of_all(&group, listed).await,
                Err(refusal) => {
                    let parts = if is_forbidden(&refusal) { group.parts() } else { Vec::new() };
                    let is_whole = parts.is_empty();
                    open.extend(parts);
                    !is_whole || self.tell_of_silence(&group, &refusal).await
                }
            };
            if !is_heard {
                return false;
            }
        }
        true
    }

    /// Reads the only object of a group.
    async fn get(&self, group: &WatchGroup) -> Result<(HashMap<Want, Vec<Object>>, String), Refusal> {
        let accept = if group.place.form == Form::Whole { WHOLE } else { METADATA };
        let objects = match self.api.get(&group.place.path(), accept).await {
            Ok(answer) => {
                let object = serde_json::from_slice(&answer.body);
                let object: Object = object.map_err(|error| Refusal::garbled(&error.to_string()))?;
                object.is_in_bounds().map_err(|why| Refusal::garbled(&why))?;
                vec![object]
            }
            Err(refusal) if refusal.is_not_found() => Vec::new(),
            Err(refusal) => return Err(refusal),
        };
        Ok((group.members.iter().map(|member| (member.clone(), objects.clone())).collect(), String::new()))
    }
}

/// The followed objects of a list, as far as namespaces and names determine them.
fn only(group: &WatchGroup) -> KeptObjects {
    let place = |member: &Want| member.namespace.clone().unwrap_or_default();
    if group.members.iter().all(|member| member.name.is_some()) {
        let name = |member: &Want| (place(member), member.name.clone().unwrap_or_default());
        KeptObjects::Named(group.members.iter().map(name).collect())
    } else if group.members.iter().all(|member| member.namespace.is_some()) {
        KeptObjects::In(group.members.iter().map(place).collect())
    } else {
        KeptObjects::All
    }
}

/// The part of the query that selects a single object by its name: some callers may read no other.
fn selector(group: &WatchGroup) -> String {
    let name = group.single().and_then(|single| single.name.as_deref());
    name.map(|name| format!("&fieldSelector={}", encode(&format!("metadata.name={name}")))).unwrap_or_default()
}

fn is_forbidden(refusal: &Refusal) -> bool {
    refusal.status == Some(StatusCode::FORBIDDEN)
}

/// The end of a watch that was refused. A kind may be listed but not watched: 405
/// (kubernetes/kubernetes: `staging/src/k8s.io/apiserver/pkg/endpoints/installer.go`).
fn after(refusal: Refusal) -> WatchEnd {
    match refusal.status {
        Some(StatusCode::GONE) => WatchEnd::Forgotten,
        Some(StatusCode::FORBIDDEN | StatusCode::METHOD_NOT_ALLOWED) => WatchEnd::NotWatched(refusal),
        _ => WatchEnd::Failed(refusal),
    }
}

/// Drops everything but the metadata. A server that does not know the requested form sends the
/// whole object, and the kind of the answer does not belong to the metadata.
fn strip(object: &mut Object) {
    *object = std::mem::take(&mut object.metadata).into();
}

fn note(object: &Object, version: &mut String) {
    if let Some(newer) = &object.metadata.resource_version {
        newer.as_ref().clone_into(version);
    }
}

/// One line of a watch.
pub(crate) enum Event {
    Change(Box<Object>),
    Gone(Box<Object>),
    Bookmark(Box<Object>),
    /// The server gives up, usually because it has forgotten the following events; or the line is
    /// malformed.
    Error,
}

pub(crate) fn event(line: &[u8], whole: bool) -> Event {
    let Ok(mut event) = serde_json::from_slice::<Value>(line) else { return Event::Error };
    let object = event.get_mut("object").map(Value::take).unwrap_or_default();
    let Ok(mut object) = serde_json::from_value::<Object>(object) else { return Event::Error };
    if object.is_in_bounds().is_err() {
        return Event::Error;
    }
    if !whole {
        strip(&mut object);
    }
    match event["type"].as_str() {
        Some("ADDED" | "MODIFIED") => Event::Change(Box::new(object)),
        Some("DELETED") => Event::Gone(Box::new(object)),
        Some("BOOKMARK") => Event::Bookmark(Box::new(object)),
        _ => Event::Error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::sharing::share;
    use crate::survey::ResourceId;
    use crate::transport::http::stand_in::stand_in;
    use std::collections::BTreeSet;

    #[tokio::test]
    async fn a_watch_begins_with_the_whole_list() {
        let places = ["a", "b"].map(|name| Want::get(&pods(), Some("shop"), name, Form::Metadata));
        let answer = |before: usize, query: &str| {
            let page = |more: &str, names: &[&str]| {
                let item =
                    |name: &&str| format!(r#"{{"metadata":{{"name":"{name}","namespace":"shop","uid":"{name}"}}}}"#);
                let items = names.iter().map(item).collect::<Vec<_>>().join(",");
                (200, format!(r#"{{"metadata":{{"resourceVersion":"7","continue":"{more}"}},"items":[{items}]}}"#))
            };
            match (before, query) {
                (1, _) => (410, r#"{"kind":"Status","message":"too old","code":410}"#.to_owned()),
                (_, "limit=500") => page("t", &["a", "x"]),
                (_, "limit=1000&continue=t") => page("", &["b", "y"]),
                _ => (200, String::new()),
            }
        };
        let api = stand_in(Duration::from_secs(5), move |before, request| {
            std::future::ready(answer(before, request.uri().query().unwrap_or_default()))
        });
        let (heard, mut ear) = tokio::sync::mpsc::channel(8);
        let group = share(places, &BTreeSet::new()).watched.remove(0);
        let watch = tokio::spawn(watch(api, group, heard));
        for name in ["a", "b"] {
            let Some(Update { place, news: News::Listed(objects) }) = ear.recv().await else { panic!("a list") };
            assert_eq!((place.name.as_deref(), objects.len()), (Some(name), 1));
            assert_eq!(objects[0].uid(), name);
        }
        drop(ear);
        watch.await.unwrap();
    }

    #[test]
    fn only_what_is_followed_is_kept_of_a_list() {
        let list = |namespace| Want::list(&pods(), namespace, Form::Metadata);
        let group = |members: &[Want]| WatchGroup { place: list(None), members: members.iter().cloned().collect() };
        let one = Want::get(&pods(), Some("a"), "p", Form::Metadata);
        let of_one = only(&group(std::slice::from_ref(&one)));
        assert!(matches!(of_one, KeptObjects::Named(names) if names.contains(&("a".into(), "p".into()))));
        assert!(matches!(only(&group(&[one.clone(), list(Some("b"))])), KeptObjects::In(places) if places.len() == 2));
        assert!(matches!(only(&group(&[one, list(None)])), KeptObjects::All));
    }

    fn pods() -> ResourceId {
        ResourceId::new("", "v1", "pods")
    }

    #[test]
    fn invalid_events_restart_the_watch() {
        let gone = br#"{"type":"ERROR","object":{"kind":"Status","code":410,"message":"too old resource version"}}"#;
        for line in [&gone[..], b"{}", b"<html>", b"{\"type\":\"ADDED\"}x"] {
            assert!(matches!(event(line, false), Event::Error));
        }
    }

    #[test]
    fn watched_changes_keep_only_what_was_requested() {
        let line = br#"{"type":"ADDED","object":{"kind":"Secret","metadata":{"name":"s","uid":"u","resourceVersion":"7"},"data":{"a":"b"}}}"#;
        let Event::Change(object) = event(line, false) else { panic!("a change") };
        assert!(object.body.is_empty() && object.uid() == "u");
        let mut version = String::from("3");
        note(&object, &mut version);
        assert_eq!(version, "7");
    }
}
