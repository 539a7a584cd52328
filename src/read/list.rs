//! Reads lists: from the server's cache or the store, in one piece or in pages, parsed as they
//! arrive.

use crate::read::sieve::{Keep, ListItem, Sieve};
use crate::survey::{Form, Object, ResourceId, Unread, Want, encode};
use crate::transport::http::Api;
use crate::transport::memory::Reservation;
use crate::transport::protobuf;
use crate::transport::refusal::Refusal;
use crate::transport::scan::{Head, JsonScanner};
use http::StatusCode;
use std::time::Duration;
use tokio::time::Instant;

/// The media type for whole objects.
pub(crate) const WHOLE: &str = "application/json";

/// Reads from the server's cache, in one piece: the cache ignores limits (kubernetes/kubernetes:
/// staging/src/k8s.io/apiserver/pkg/storage/cacher/delegator.go).
const CACHED: &str = "resourceVersion=0";
/// The length of the first page from the store, as in client-go.
const MIN_PAGE: usize = 500;
/// The maximum length of a page. Each page may be twice as long as the one before: over a slow link
/// every page costs a round trip.
const MAX_PAGE: usize = 4_000;
/// A list that takes this many times as long as a single read may take is considered endless.
const MAX_TIMES_AS_LONG: u32 = 30;
/// The maximum length of a list, in bytes.
const MAX_BYTES: u64 = 4 << 30;
/// The minimum speed of a list, in bytes a second.
const MIN_SPEED: f64 = 32.0;

/// The source of lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Freshness {
    /// The server's watch cache, which may be slightly old: for a diagnosis.
    Cached,
    /// The store: before anything is reported as done or empty.
    Consistent,
}

/// A list that was read to its end.
#[derive(Debug, Default)]
pub(crate) struct Listed {
    /// The objects that were kept.
    pub objects: Vec<Object>,
    /// The metadata of the last page.
    pub head: Head,
    /// Whether this is all that the server's cache contains, which is what controllers list.
    pub is_cached: bool,
    /// Whether objects that are being deleted outside the sieve's namespaces were dropped, because
    /// there were too many.
    pub lacks_elsewhere: bool,
}

/// A list to be read.
#[derive(Clone)]
pub(crate) struct ListRequest {
    pub api: Api,
    /// The path.
    pub path: String,
    /// A selector to add to the query of each page.
    pub filter: String,
    pub sieve: Sieve,
    /// The maximum length in bytes, if there is a cheaper way to read the objects.
    pub most: Option<u64>,
    /// How many objects that are being deleted outside the sieve's namespaces are kept.
    pub most_elsewhere: usize,
}

/// The part of a list that has arrived.
struct Arrived {
    objects: Vec<Object>,
    /// Decides which of the following items are kept.
    sieve: Sieve,
    /// How many of the objects are outside the sieve's namespaces.
    elsewhere: usize,
    /// The number of bytes, including those of dropped items.
    length: u64,
    reserved: Reservation,
}

/// The reason why a list was not read to its end.
struct Broken {
    refusal: Refusal,
    at: BrokeOff,
}

/// The place at which a list broke off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BrokeOff {
    /// Before any item of a page.
    Start,
    Middle,
    /// The list is longer than allowed.
    NoEnd,
}

/// A scanner for the format of the answer.
enum AnyScanner {
    Json(JsonScanner),
    Protobuf(protobuf::ProtobufScanner),
}

impl AnyScanner {
    fn of(is_protobuf: bool) -> Self {
        if is_protobuf {
            Self::Protobuf(protobuf::ProtobufScanner::default())
        } else {
            Self::Json(JsonScanner::default())
        }
    }

    fn feed(&mut self, piece: &[u8], item: &mut impl FnMut(ListItem<'_>) -> Result<(), String>) -> Result<(), String> {
        match self {
            Self::Json(scanner) => scanner.feed(piece, &mut |text| item(ListItem::Json(text))),
            Self::Protobuf(scanner) => scanner.feed(piece, &mut |bytes| item(ListItem::Protobuf(bytes))),
        }
    }

    fn end(self) -> Result<Head, String> {
        match self {
            Self::Json(scanner) => scanner.end(),
            Self::Protobuf(scanner) => scanner.end(),
        }
    }
}

impl ListRequest {
    /// The list that `want` asks for.
    pub(crate) fn of(api: &Api, want: &Want) -> Self {
        let on = |node: &String| format!("&fieldSelector={}", encode(&format!("spec.nodeName={node}")));
        let filter = want.node.as_ref().map(on).unwrap_or_default();
        Self {
            api: api.clone(),
            path: want.path(),
            filter,
            sieve: Sieve::of(want),
            most: None,
            most_elsewhere: usize::MAX,
        }
    }

    /// Reads the list for a diagnosis. With `once`, a late list is not read again in pages.
    pub(crate) async fn read(&self, form: Form, freshness: Freshness, once: bool) -> Result<Listed, Refusal> {
        match (form, freshness) {
            (Form::Cached, _) => self.from(CACHED).await.map_err(|broken| broken.refusal),
            (Form::Stored, _) | (_, Freshness::Consistent) => self.paged().await,
            (_, Freshness::Cached) => match self.from(CACHED).await {
                // "storage is (re)initializing": a request with a limit bypasses the cache and
                // shows the real error.
                Err(broken) if broken.refusal.is_busy() => self.paged().await,
                // The list is too big to arrive in time, or before the connection breaks. A page
                // arrives soon or not at all.
                Err(broken) if !once && broken.is_too_big() => {
                    Self { api: self.api.probing(), ..self.clone() }.paged().await
                }
                other => other.map(|listed| Listed { is_cached: true, ..listed }).map_err(|broken| broken.refusal),
            },
        }
    }

    /// Reads the list from the store, in pages. If the server has forgotten the state that the
    /// pages show, starts again once.
    pub(crate) async fn paged(&self) -> Result<Listed, Refusal> {
        let first = paged(MIN_PAGE, "");
        match self.from(&first).await {
            Err(broken) if broken.refusal.status == Some(StatusCode::GONE) => self.from(&first).await,
            other => other,
        }
        .map_err(|broken| broken.refusal)
    }

    async fn from(&self, first: &str) -> Result<Listed, Broken> {
        let limit = self.api.limits().read.saturating_mul(MAX_TIMES_AS_LONG);
        let read = tokio::time::timeout(limit, Box::pin(self.pages(first))).await;
        read.unwrap_or_else(|_| Err(Broken { refusal: Refusal::endless(limit), at: BrokeOff::NoEnd }))
    }

    async fn pages(&self, first: &str) -> Result<Listed, Broken> {
        let sieve = self.sieve.clone();
        let mut come =
            Arrived { objects: Vec::new(), sieve, elsewhere: 0, length: 0, reserved: self.api.budget.enter() };
        let mut last = Head::default();
        let (mut query, mut size, mut longest) = (first.to_owned(), MIN_PAGE, MAX_PAGE);
        loop {
            let before = come.objects.len();
            let page = if query == CACHED || size > MIN_PAGE {
                self.page(&query, &mut come).await
            } else {
                self.whole_page(&query, &mut come).await
            };
            let head = match page {
                Ok(head) => head,
                // Continue with shorter pages.
                Err(broken) if size > MIN_PAGE && broken.is_too_big() => {
                    self.api.read_again(&broken.refusal, 1).await;
                    come.objects.truncate(before);
                    (size, longest) = (MIN_PAGE, MIN_PAGE);
                    query = paged(size, &last.more);
                    continue;
                }
                Err(broken) => return Err(broken),
            };
            if head.more.is_empty() {
                come.objects.shrink_to_fit();
                come.reserved.keep();
                let lacks_elsewhere = come.elsewhere > self.most_elsewhere;
                return Ok(Listed { objects: come.objects, head, is_cached: false, lacks_elsewhere });
            }
            if head.more == last.more {
                let refusal = Refusal::garbled("invalid list: its pages repeat");
                return Err(Broken { refusal, at: BrokeOff::NoEnd });
            }
            size = (2 * size).min(longest);
            query = paged(size, &head.more);
            last = head;
        }
    }

    /// Reads one short page. If it breaks off, tries again.
    async fn whole_page(&self, query: &str, come: &mut Arrived) -> Result<Head, Broken> {
        let (before, mut tries) = (come.objects.len(), 1);
        loop {
            match self.page(query, come).await {
                Err(broken)
                    if broken.at == BrokeOff::Middle
                        && broken.refusal.is_cut_off()
                        && self.api.read_again(&broken.refusal, tries).await =>
                {
                    come.objects.truncate(before);
                    tries += 1;
                }
                other => return other,
            }
        }
    }

    async fn page(&self, query: &str, come: &mut Arrived) -> Result<Head, Broken> {
        let accept = match self.sieve.keep {
            Keep::Whole => WHOLE,
            // All but protobuf, which `-v` cannot show.
            _ if self.api.shows_bodies() => protobuf::METADATA_LIST.split_once(',').map_or(WHOLE, |(_, json)| json),
            _ => protobuf::METADATA_LIST,
        };
        let broken = |at| move |refusal| Broken { refusal, at };
        let no_list =
            |why: String| Broken { refusal: Refusal::garbled(&format!("invalid list: {why}")), at: BrokeOff::Middle };
        let url = format!("{}?{query}{}", self.path, self.filter);
        let mut text = self.api.open(&url, accept).await.map_err(broken(BrokeOff::Start))?;
        let mut scanner = AnyScanner::of(text.is_protobuf());
        let mut speed = Speed::of(self.api.limits().read);
        while let Some(piece) = text.piece(self.api.limits().read).await.map_err(broken(BrokeOff::Middle))? {
            speed.bears(piece.len()).map_err(broken(BrokeOff::Middle))?;
            come.length += piece.len() as u64;
            if come.length > self.most.unwrap_or(MAX_BYTES) {
                return Err(no_list(format!("longer than {} bytes", self.most.unwrap_or(MAX_BYTES))));
            }
            let keep = &mut |item: ListItem<'_>| {
                if let Some(mut object) = come.sieve.sift(item, self.api.budget.room())? {
                    come.reserved.add_object(object.weight())?;
                    come.elsewhere += usize::from(come.sieve.is_elsewhere(&object));
                    if come.elsewhere > self.most_elsewhere {
                        come.sieve.leave_elsewhere();
                    }
                    come.objects.last().inspect(|last| object.metadata.share_with(&last.metadata));
                    come.objects.push(object);
                }
                Ok(())
            };
            scanner.feed(&piece, keep).map_err(no_list)?;
        }
        scanner.end().map_err(no_list)
    }
}

/// How fast a page arrives.
struct Speed {
    since: Instant,
    patience: Duration,
    bytes: f64,
}

impl Speed {
    fn of(patience: Duration) -> Self {
        Self { since: Instant::now(), patience, bytes: 0.0 }
    }

    /// Counts bytes that have arrived. A server that sends only a byte now and then counts as one
    /// that does not answer.
    fn bears(&mut self, bytes: usize) -> Result<(), Refusal> {
        self.bytes += f64::from(u32::try_from(bytes).unwrap_or(u32::MAX));
        let elapsed = self.since.elapsed();
        let is_slow = elapsed > self.patience && self.bytes < MIN_SPEED * elapsed.as_secs_f64();
        if is_slow { Err(Refusal::late(self.patience)) } else { Ok(()) }
    }
}

/// The query for a page of `size` items that begins at the token `more`.
fn paged(size: usize, more: &str) -> String {
    match more {
        "" => format!("limit={size}"),
        more => format!("limit={size}&continue={}", encode(more)),
    }
}

impl Broken {
    /// Whether smaller pages may help.
    fn is_too_big(&self) -> bool {
        match self.at {
            BrokeOff::Start => self.refusal.is_late(),
            BrokeOff::Middle => self.refusal.is_late() || self.refusal.is_cut_off(),
            BrokeOff::NoEnd => false,
        }
    }
}

/// Lists the objects that a label selector matches, from the store.
///
/// # Errors
/// When the list cannot be read, or the selector is invalid.
pub async fn listed(api: &Api, want: &Want, selector: Option<&str>) -> Result<Vec<Object>, Unread> {
    let filter = selector.map(|selector| format!("&labelSelector={}", encode(selector))).unwrap_or_default();
    filtered(api, want, filter).await
}

/// The objects of a resource that have this name, in all namespaces.
///
/// # Errors
/// When the list cannot be read.
pub async fn named(api: &Api, resource: &ResourceId, name: &str) -> Result<Vec<Object>, Unread> {
    let filter = format!("&fieldSelector={}", encode(&format!("metadata.name={name}")));
    filtered(api, &Want::list(resource, None, Form::Metadata), filter).await
}

async fn filtered(api: &Api, want: &Want, filter: String) -> Result<Vec<Object>, Unread> {
    let listing = ListRequest { filter, ..ListRequest::of(api, want) };
    listing.paged().await.map(|listed| listed.objects).map_err(|refusal| refusal.unread())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::sieve::KeptObjects;
    use crate::survey::{Reason, Sought};
    use crate::transport::http::stand_in::stand_in;

    const GONE: &str = r#"{"kind":"Status","message":"The provided continue parameter is too old","code":410}"#;

    fn page(more: &str, name: &str) -> (u16, String) {
        (200, format!(r#"{{"metadata":{{"continue":"{more}"}},"items":[{{"metadata":{{"name":"{name}"}}}}]}}"#))
    }

    /// Reads a list. `answer` gets the number of earlier requests and the query.
    async fn read(
        answer: impl Fn(usize, &str) -> (u16, String) + Send + Sync + 'static,
        freshness: Freshness,
    ) -> Result<Vec<String>, Reason> {
        read_within(Duration::from_secs(5), answer, freshness).await
    }

    /// The same with another time-out.
    async fn read_within(
        limit: Duration,
        answer: impl Fn(usize, &str) -> (u16, String) + Send + Sync + 'static,
        freshness: Freshness,
    ) -> Result<Vec<String>, Reason> {
        let api = stand_in(limit, move |before, request| {
            std::future::ready(answer(before, request.uri().query().unwrap_or_default()))
        });
        let want = Want::list(&ResourceId::new("", "v1", "pods"), None, Form::Metadata);
        let listed = ListRequest::of(&api, &want).read(want.form, freshness, false).await;
        let names = |listed: Listed| listed.objects.iter().map(|object| object.name().to_owned()).collect();
        listed.map(names).map_err(|refusal| refusal.unread().reason)
    }

    #[tokio::test]
    async fn pods_of_a_node_are_asked_for_by_its_name() {
        let only_those = |_: usize, query: &str| match query {
            "resourceVersion=0&fieldSelector=spec.nodeName%3Dn-1" => page("", "a"),
            other => panic!("{other}"),
        };
        let api = stand_in(Duration::from_secs(5), move |before, request| {
            std::future::ready(only_those(before, request.uri().query().unwrap_or_default()))
        });
        let want = Sought::pods_on(&ResourceId::new("", "v1", "pods"), "n-1").want();
        let listed = ListRequest::of(&api, &want).read(want.form, Freshness::Cached, false).await;
        assert_eq!(listed.map_err(|refusal| refusal.message).unwrap().objects.len(), 1);
    }

    #[tokio::test]
    async fn only_so_many_deletions_elsewhere_are_kept() {
        let item = |namespace: &str, number: usize| {
            format!(
                r#"{{"metadata":{{"name":"{number}","namespace":"{namespace}","deletionTimestamp":"2026-01-02T03:04:05Z"}}}}"#
            )
        };
        let items: Vec<String> =
            (0..8).map(|number| item(if number % 2 == 0 { "shop" } else { "other" }, number)).collect();
        let list = format!(r#"{{"metadata":{{}},"items":[{}]}}"#, items.join(","));
        let api = stand_in(Duration::from_secs(5), move |_, _| std::future::ready((200, list.clone())));
        let want = Want::list(&ResourceId::new("", "v1", "pods"), None, Form::Metadata);
        for (most_elsewhere, kept, lacks) in [(4, 8, false), (3, 8, true), (1, 6, true)] {
            let only = KeptObjects::InOrDeleting(["shop".to_owned()].into());
            let sieve = Sieve { only, ..Sieve::of(&want) };
            let listing = ListRequest { sieve, most_elsewhere, ..ListRequest::of(&api, &want) };
            let listed = listing.read(want.form, Freshness::Cached, false).await.map_err(|refusal| refusal.message);
            let listed = listed.unwrap();
            assert_eq!((listed.objects.len(), listed.lacks_elsewhere), (kept, lacks), "{most_elsewhere}");
            let inside = listed.objects.iter().filter(|object| object.metadata.namespace.as_deref() == Some("shop"));
            assert_eq!(inside.count(), 4);
        }
    }

    #[tokio::test]
    async fn expired_pages_are_restarted_once() {
        let once = |before: usize, query: &str| match (before, query) {
            (0, _) => page("old", "gone-since"),
            (1, _) => (410, GONE.into()),
            (_, "limit=500") => page("new", "a"),
            (_, query) => page("", if query.ends_with("continue=new") { "b" } else { "wrong" }),
        };
        assert_eq!(read(once, Freshness::Consistent).await.unwrap(), ["a", "b"]);
        let always = |_: usize, query: &str| if query == "limit=500" { page("t", "a") } else { (410, GONE.into()) };
        assert_eq!(read(always, Freshness::Consistent).await.unwrap_err(), Reason::Rejected);
    }

    #[tokio::test]
    async fn pages_without_an_end_are_given_up() {
        let start = tokio::time::Instant::now();
        let on_and_on = |before: usize, _: &str| page(&format!("t{before}"), "a");
        let limit = Duration::from_millis(20);
        assert_eq!(read_within(limit, on_and_on, Freshness::Cached).await.unwrap_err(), Reason::TimedOut);
        assert!(start.elapsed() < limit * MAX_TIMES_AS_LONG * 2, "once is enough");
        let in_a_ring = |_: usize, _: &str| page("t", "a");
        assert_eq!(read(in_a_ring, Freshness::Cached).await.unwrap_err(), Reason::Garbled);
    }

    #[tokio::test]
    async fn a_list_that_the_server_cannot_send_at_once_is_read_in_pages() {
        let too_big = |_: usize, query: &str| match query {
            "resourceVersion=0" => (504, r#"{"kind":"Status","message":"Timeout"}"#.into()),
            "limit=500" => page("t", "a"),
            _ => page("", "b"),
        };
        assert_eq!(read(too_big, Freshness::Cached).await.unwrap(), ["a", "b"]);
    }

    #[tokio::test]
    async fn pages_grow_until_one_does_not_come() {
        let only_short = |_: usize, query: &str| match query {
            "limit=500" => page("a", "1"),
            "limit=1000&continue=a" => page("b", "2"),
            "limit=2000&continue=b" => page("c", "3"),
            "limit=500&continue=c" => page("d", "4"),
            "limit=500&continue=d" => page("", "5"),
            other => panic!("{other}"),
        };
        let slow_once = move |_: usize, query: &str| match query {
            "limit=4000&continue=c" => (504, r#"{"kind":"Status","message":"Timeout"}"#.into()),
            query => only_short(0, query),
        };
        assert_eq!(read(slow_once, Freshness::Consistent).await.unwrap(), ["1", "2", "3", "4", "5"]);
    }

    #[tokio::test]
    async fn a_truncated_list_is_unread() {
        let cut = |_: usize, _: &str| (200, r#"{"metadata":{},"items":[{"metadata":{"name":"a"}},"#.into());
        assert_eq!(read(cut, Freshness::Cached).await.unwrap_err(), Reason::Garbled);
    }
}
