//! Watches: what is there, and then each change of it, until nobody listens any
//! more. One list and one request that stays open; a list again only where the
//! server has forgotten the changes since.

use super::gather::pages;
use super::http::{Api, METADATA, Stream};
use super::refusal::Refusal;
use crate::survey::{Form, Object, Unread, Want, encode};
use http::StatusCode;
use serde_json::Value;
use std::time::Duration;
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

/// News of one watched place.
#[derive(Debug, Clone, PartialEq)]
pub struct Heard {
    /// Where: a list, or one object.
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
    /// It may be listed, and not watched.
    NotWatched(Refusal),
    /// No answer, or an error.
    Failed(Refusal),
}

/// Watches `place` until nobody listens.
pub async fn watch(api: Api, place: Want, heard: Sender<Heard>) {
    let watch = Watch { api, place, heard };
    let mut pause = FIRST_PAUSE;
    loop {
        match watch.follow(&mut pause).await {
            End::Unheard => return,
            End::Forgotten => tokio::time::sleep(FIRST_PAUSE).await,
            End::NotWatched(refusal) => return watch.poll(&refusal).await,
            End::Failed(refusal) => {
                // With the watch the other connections may have been cut that were kept
                // for later: a first failure is not worth a word.
                let is_first = pause == FIRST_PAUSE && !watch.heard.is_closed();
                if !is_first && !watch.tell(News::Silent(refusal.unread())).await {
                    return;
                }
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(LONGEST_PAUSE);
            }
        }
    }
}

struct Watch {
    api: Api,
    place: Want,
    heard: Sender<Heard>,
}

impl Watch {
    /// Whether somebody listens still.
    async fn tell(&self, news: News) -> bool {
        self.heard.send(Heard { place: self.place.clone(), news }).await.is_ok()
    }

    /// Lists, and follows the changes from there on.
    async fn follow(&self, pause: &mut Duration) -> End {
        let (objects, mut version) = match self.list().await {
            Ok(listed) => listed,
            Err(refusal) if is_forbidden(&refusal) && self.place.name.is_some() => return End::NotWatched(refusal),
            Err(refusal) => return End::Failed(refusal),
        };
        *pause = FIRST_PAUSE;
        if !self.tell(News::Listed(objects)).await {
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
            match event(&line, self.place.form == Form::Whole) {
                Event::Change(object) => {
                    note(&object, version);
                    if !self.tell(News::Changed(object)).await {
                        return Some(End::Unheard);
                    }
                }
                Event::Gone(object) => {
                    note(&object, version);
                    if !self.tell(News::Gone(object.metadata.uid)).await {
                        return Some(End::Unheard);
                    }
                }
                Event::Bookmark(object) => note(&object, version),
                Event::Error => return Some(End::Forgotten),
            }
        }
    }

    async fn open(&self, version: &str) -> Result<Stream, Refusal> {
        let accept = if self.place.form == Form::Whole { "application/json" } else { METADATA };
        let path = self.place.resource.path(self.place.namespace.as_deref(), None);
        let (from, selector) = (encode(version), self.selector());
        let seconds = SERVED_FOR.as_secs();
        let query =
            format!("watch=true&allowWatchBookmarks=true&timeoutSeconds={seconds}&resourceVersion={from}{selector}");
        self.api.stream(&format!("{path}?{query}"), accept).await
    }

    /// From the store: what a cache shows may be older than what was seen already.
    async fn list(&self) -> Result<(Vec<Object>, String), Refusal> {
        let all = Want { name: None, ..self.place.clone() };
        pages(&self.api, &all, &self.selector()).await
    }

    fn selector(&self) -> String {
        let name = self.place.name.as_deref();
        name.map(|name| format!("&fieldSelector={}", encode(&format!("metadata.name={name}")))).unwrap_or_default()
    }

    /// Reads again and again what may not be watched.
    async fn poll(&self, refusal: &Refusal) {
        if !self.tell(News::Polled(refusal.unread())).await {
            return;
        }
        loop {
            let news = match self.read_once().await {
                Ok(objects) => News::Listed(objects),
                Err(refusal) => News::Silent(refusal.unread()),
            };
            if !self.tell(news).await {
                return;
            }
            tokio::select! {
                () = tokio::time::sleep(POLL_EVERY) => {}
                () = self.heard.closed() => return,
            }
        }
    }

    async fn read_once(&self) -> Result<Vec<Object>, Refusal> {
        if self.place.name.is_none() {
            return self.list().await.map(|(objects, _)| objects);
        }
        let accept = if self.place.form == Form::Whole { "application/json" } else { METADATA };
        match self.api.get(&self.place.path(), accept).await {
            Ok(answer) => serde_json::from_slice(&answer.body)
                .map(|object| vec![object])
                .map_err(|error| Refusal::garbled(&error.to_string())),
            Err(refusal) if refusal.is_not_found() => Ok(Vec::new()),
            Err(refusal) => Err(refusal),
        }
    }
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

fn note(object: &Object, version: &mut String) {
    if let Some(newer) = &object.metadata.resource_version {
        version.clone_from(newer);
    }
}

/// One line of a watch.
enum Event {
    Change(Box<Object>),
    Gone(Box<Object>),
    Bookmark(Box<Object>),
    /// The server gives up, mostly because it has forgotten what came next; or it is
    /// no line of a watch at all.
    Error,
}

fn event(line: &[u8], whole: bool) -> Event {
    let Ok(mut event) = serde_json::from_slice::<Value>(line) else { return Event::Error };
    let Ok(mut object) = serde_json::from_value::<Object>(event["object"].take()) else { return Event::Error };
    if !whole {
        // A server that does not know the form asked for shows the whole object.
        object.body.clear();
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
