//! Watches: what is there, and then each change of it, until nobody listens any
//! more. One list and one request that stays open; a list again only where the
//! server has forgotten the changes since.

use super::http::{Api, METADATA, Stream};
use super::list::{Listing, WHOLE};
use super::refusal::Refusal;
use super::sharing::{Group, Members};
use super::sieve::{Only, Sieve};
use crate::survey::{Form, Object, Unread, Want, encode};
use http::StatusCode;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::sync::mpsc::Sender;

/// The server ends a watch after this time, and it is begun anew.
const SERVED_FOR: Duration = Duration::from_mins(5);
/// Nothing for longer than that: the connection is dead.
const SILENT_FOR: Duration = Duration::from_secs(SERVED_FOR.as_secs() + 20);
/// The pauses between tries to reach a server that does not answer grow from the
/// first to the longest.
const FIRST_PAUSE: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_secs(10);
/// So often is read what may not be watched.
const POLL_EVERY: Duration = Duration::from_secs(10);
/// A watch that ends sooner and has shown nothing did not work.
const AT_ONCE: Duration = Duration::from_secs(1);

/// What a watch tells.
#[derive(Debug, Clone, PartialEq)]
pub enum News {
    /// All that there is now.
    Listed(Vec<Object>),
    /// It came, or changed.
    Changed(Box<Object>),
    /// The object of this uid is gone.
    Gone(String),
    /// Nobody answers; it is tried again and again.
    Silent(Unread),
    /// It may not be watched, and is read every so often.
    Polled(Unread),
}

/// News of one place that is followed.
#[derive(Debug, Clone, PartialEq)]
pub struct Heard {
    /// Where: a list, or one object. What is polled is told once for all that is read with it.
    pub place: Want,
    /// What.
    pub news: News,
}

/// How a watch ends.
enum End {
    /// Nobody listens.
    Unheard,
    /// The server does not remember the changes since: they begin with a list.
    Forgotten,
    /// It may be listed, and not watched; or only parts of it may be read.
    NotWatched(Refusal),
    /// No answer, or an error.
    Failed(Refusal),
}

/// Follows a group by one watch until nobody listens.
pub async fn watch(api: Api, group: Group, heard: Sender<Heard>) {
    let watch = Watch::new(api, group, heard);
    let mut pause = FIRST_PAUSE;
    loop {
        match watch.follow(&mut pause).await {
            End::Unheard => return,
            End::Forgotten => tokio::time::sleep(FIRST_PAUSE).await,
            End::NotWatched(refusal) => {
                let polled = News::Polled(refusal.unread());
                if watch.tell(&watch.group.place, polled).await {
                    watch.poll(None).await;
                }
                return;
            }
            End::Failed(refusal) => {
                // With the watch the other connections may have been cut that were kept
                // for later: a first failure is not worth a word.
                let is_first = pause == FIRST_PAUSE && !watch.heard.is_closed();
                if !is_first && !watch.tell_of_silence(&watch.group, &refusal).await {
                    return;
                }
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(LONGEST_PAUSE);
            }
        }
    }
}

/// Follows a group by reading it every so often until nobody listens; whoever reads has
/// one of `seats` as long as that takes.
pub async fn poll(api: Api, group: Group, heard: Sender<Heard>, seats: Arc<Semaphore>) {
    Watch::new(api, group, heard).poll(Some(&seats)).await;
}

struct Watch {
    api: Api,
    group: Group,
    members: Members,
    heard: Sender<Heard>,
}

impl Watch {
    fn new(api: Api, group: Group, heard: Sender<Heard>) -> Self {
        let members = Members::of(&group);
        Self { api, group, members, heard }
    }

    /// Whether somebody listens still.
    async fn tell(&self, place: &Want, news: News) -> bool {
        self.heard.send(Heard { place: place.clone(), news }).await.is_ok()
    }

    /// Tells of each member of `group` what there is of it.
    async fn tell_of_all(&self, group: &Group, mut listed: HashMap<Want, Vec<Object>>) -> bool {
        for member in &group.members {
            let objects = listed.remove(member).unwrap_or_default();
            if !self.tell(member, News::Listed(objects)).await {
                return false;
            }
        }
        true
    }

    async fn tell_of_silence(&self, group: &Group, refusal: &Refusal) -> bool {
        for member in &group.members {
            if !self.tell(member, News::Silent(refusal.unread())).await {
                return false;
            }
        }
        true
    }

    /// Tells those who follow it of an object that changed or went.
    async fn tell_of_object(&self, object: &Object, is_gone: bool) -> bool {
        for member in self.members.that_follow(object) {
            let news =
                if is_gone { News::Gone(object.uid().to_owned()) } else { News::Changed(Box::new(object.clone())) };
            if !self.tell(member, news).await {
                return false;
            }
        }
        true
    }

    /// Lists, and follows the changes from there on.
    async fn follow(&self, pause: &mut Duration) -> End {
        let (listed, mut version) = match self.list(&self.group).await {
            Ok(listed) => listed,
            Err(refusal) if is_forbidden(&refusal) && !self.group.parts().is_empty() => {
                return End::NotWatched(refusal);
            }
            Err(refusal) => return End::Failed(refusal),
        };
        *pause = FIRST_PAUSE;
        if !self.tell_of_all(&self.group, listed).await {
            return End::Unheard;
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
            // Something on the way may cut off what stays open.
            if version == before && begun.elapsed() < AT_ONCE {
                tokio::time::sleep(in_vain).await;
                in_vain = (in_vain * 2).min(LONGEST_PAUSE);
            } else {
                in_vain = FIRST_PAUSE;
            }
        }
    }

    /// Reads a watch to its end; `None` when it is to be begun again where it ended,
    /// also when its connection broke off.
    async fn read(&self, stream: &mut Stream, version: &mut String) -> Option<End> {
        loop {
            let line = tokio::select! {
                line = stream.line(SILENT_FOR) => line,
                () = self.heard.closed() => return Some(End::Unheard),
            };
            let line = line.ok()??;
            let (object, is_gone) = match event(&line, self.group.place.form == Form::Whole) {
                Event::Change(object) => (object, false),
                Event::Gone(object) => (object, true),
                Event::Bookmark(object) => {
                    note(&object, version);
                    continue;
                }
                Event::Error => return Some(End::Forgotten),
            };
            note(&object, version);
            if !self.tell_of_object(&object, is_gone).await {
                return Some(End::Unheard);
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

    /// From the store: what a cache shows may be older than what was seen already. Only what
    /// is followed is kept.
    async fn list(&self, group: &Group) -> Result<(HashMap<Want, Vec<Object>>, String), Refusal> {
        let sieve = Sieve { only: only(group), ..Sieve::of(&group.place) };
        let listing = Listing { filter: selector(group), sieve, ..Listing::of(&self.api.apart(), &group.place) };
        let list = listing.paged().await?;
        let mut listed: HashMap<Want, Vec<Object>> = HashMap::new();
        for object in list.objects {
            for member in self.members.that_follow(&object) {
                listed.entry(member.clone()).or_default().push(object.clone());
            }
        }
        Ok((listed, list.head.resource_version))
    }

    /// Reads again and again what may not be watched.
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

    /// Reads everything once, in parts where the whole is forbidden; whether somebody
    /// listens still.
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

    /// Reads the one object of a group.
    async fn get(&self, group: &Group) -> Result<(HashMap<Want, Vec<Object>>, String), Refusal> {
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

/// Whose objects of a list are followed, as far as that is said by namespaces and names.
fn only(group: &Group) -> Only {
    let place = |member: &Want| member.namespace.clone().unwrap_or_default();
    if group.members.iter().all(|member| member.name.is_some()) {
        let name = |member: &Want| (place(member), member.name.clone().unwrap_or_default());
        Only::Named(group.members.iter().map(name).collect())
    } else if group.members.iter().all(|member| member.namespace.is_some()) {
        Only::In(group.members.iter().map(place).collect())
    } else {
        Only::All
    }
}

/// A single object is listed and watched by its name: who may read no other may do that.
fn selector(group: &Group) -> String {
    let name = group.single().and_then(|single| single.name.as_deref());
    name.map(|name| format!("&fieldSelector={}", encode(&format!("metadata.name={name}")))).unwrap_or_default()
}

fn is_forbidden(refusal: &Refusal) -> bool {
    refusal.status == Some(StatusCode::FORBIDDEN)
}

/// What a watch that was not granted comes to. A kind may be listed and not watched:
/// 405 (kubernetes/kubernetes: `staging/src/k8s.io/apiserver/pkg/endpoints/installer.go`).
fn after(refusal: Refusal) -> End {
    match refusal.status {
        Some(StatusCode::GONE) => End::Forgotten,
        Some(StatusCode::FORBIDDEN | StatusCode::METHOD_NOT_ALLOWED) => End::NotWatched(refusal),
        _ => End::Failed(refusal),
    }
}

/// Leaves metadata alone: a server that does not know the form asked for shows the whole
/// object, and what kind of answer it was is no part of it.
fn strip(object: &mut Object) {
    *object = std::mem::take(&mut object.metadata).into();
}

fn note(object: &Object, version: &mut String) {
    if let Some(newer) = &object.metadata.resource_version {
        newer.as_ref().clone_into(version);
    }
}

/// One line of a watch.
pub(super) enum Event {
    Change(Box<Object>),
    Gone(Box<Object>),
    Bookmark(Box<Object>),
    /// The server gives up, mostly because it has forgotten what came next; or it is
    /// no line of a watch at all.
    Error,
}

pub(super) fn event(line: &[u8], whole: bool) -> Event {
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
    use super::super::http::tests::stand_in;
    use super::super::sharing::share;
    use super::*;
    use crate::survey::ResourceId;
    use std::collections::BTreeSet;

    #[tokio::test]
    async fn it_begins_with_the_whole_list_however_that_is_read() {
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
            let Some(Heard { place, news: News::Listed(objects) }) = ear.recv().await else { panic!("a list") };
            assert_eq!((place.name.as_deref(), objects.len()), (Some(name), 1));
            assert_eq!(objects[0].uid(), name);
        }
        drop(ear);
        watch.await.unwrap();
    }

    #[test]
    fn only_what_is_followed_is_kept_of_a_list() {
        let list = |namespace| Want::list(&pods(), namespace, Form::Metadata);
        let group = |members: &[Want]| Group { place: list(None), members: members.iter().cloned().collect() };
        let one = Want::get(&pods(), Some("a"), "p", Form::Metadata);
        assert!(
            matches!(only(&group(std::slice::from_ref(&one))), Only::Named(names) if names.contains(&("a".into(), "p".into())))
        );
        assert!(matches!(only(&group(&[one.clone(), list(Some("b"))])), Only::In(places) if places.len() == 2));
        assert!(matches!(only(&group(&[one, list(None)])), Only::All));
    }

    fn pods() -> ResourceId {
        ResourceId::new("", "v1", "pods")
    }

    #[test]
    fn what_is_no_change_begins_anew() {
        let gone = br#"{"type":"ERROR","object":{"kind":"Status","code":410,"message":"too old resource version"}}"#;
        for line in [&gone[..], b"{}", b"<html>", b"{\"type\":\"ADDED\"}x"] {
            assert!(matches!(event(line, false), Event::Error));
        }
    }

    #[test]
    fn a_change_is_kept_without_what_was_not_asked_for() {
        let line = br#"{"type":"ADDED","object":{"kind":"Secret","metadata":{"name":"s","uid":"u","resourceVersion":"7"},"data":{"a":"b"}}}"#;
        let Event::Change(object) = event(line, false) else { panic!("a change") };
        assert!(object.body.is_empty() && object.uid() == "u");
        let mut version = String::from("3");
        note(&object, &mut version);
        assert_eq!(version, "7");
    }
}
