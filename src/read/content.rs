//! Lists the content of a namespace from the store, right before a write that assumes that the
//! namespace is empty or missing.

use crate::facts::{Facts, Sweep};
use crate::read::gather::{Freshness, begin, gather};
use crate::report::Ref;
use crate::survey::{Object, ResourceId, Seen, Survey, Unread};
use crate::transport::http::{Api, METADATA};
use std::collections::BTreeSet;

/// The content of a namespace, by a consistent list of every kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Content {
    /// The objects.
    pub objects: Vec<Ref>,
    /// The kinds and API versions that could not be listed, each with the reason.
    pub unread: Vec<String>,
}

impl Content {
    /// Lists everything in a namespace from the store.
    ///
    /// # Errors
    /// When not even the kinds can be discovered.
    pub async fn of(api: &Api, namespace: &str) -> Result<Self, Unread> {
        Self::but(api, namespace, |_| false).await
    }

    /// Lists everything in a namespace except objects for which `may_be` is true.
    async fn but(api: &Api, namespace: &str, may_be: impl Fn(Seen<'_>) -> bool) -> Result<Self, Unread> {
        let survey = survey_of(api, namespace).await?;
        let facts = Facts::new(&survey);
        let Ok(content) = facts.sweep(namespace) else {
            return Ok(Self { objects: Vec::new(), unread: vec!["not everything was listed".into()] });
        };
        let unread = content.unread.iter().map(|(resource, why)| format!("{} ({why})", resource.id));
        let stale = survey.discovery.stale.iter().map(|version| format!("{version} (its discovery is stale)"));
        let objects = content.objects.iter().filter(|seen| !may_be(**seen)).map(|seen| (*seen).into());
        Ok(Self { objects: objects.collect(), unread: unread.chain(stale).collect() })
    }

    /// Whether the namespace is proven to be empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty() && self.unread.is_empty()
    }

    /// Returns an error unless the namespace is empty; `would` is the fate of its content.
    fn or_else(self, would: &str) -> Result<(), String> {
        match (self.objects.as_slice(), self.unread.as_slice()) {
            ([], []) => Ok(()),
            ([], unread) => Err(format!("could not be read: {}", unread.join(", "))),
            (left, _) => Err(format!("{} {would}: {} …", Sweep::count(left), first_names(left))),
        }
    }
}

async fn survey_of(api: &Api, namespace: &str) -> Result<Survey, Unread> {
    let begun = begin(api, BTreeSet::new(), Freshness::Consistent).await;
    let mut survey = begun.map_err(|refusal| refusal.unread())?;
    loop {
        let facts = Facts::new(&survey);
        if facts.sweep(namespace).is_ok() {
            return Ok(survey);
        }
        let (wants, _) = facts.into_wants();
        gather(api, wants, &mut survey, Freshness::Consistent, &|| {}).await;
    }
}

fn first_names(objects: &[Ref]) -> String {
    objects.iter().take(3).map(Ref::to_string).collect::<Vec<_>>().join(", ")
}

/// Checks that a namespace is empty.
///
/// # Errors
/// A sentence about what is left or could not be read.
pub(crate) async fn read_to_be_empty(api: &Api, namespace: &Ref) -> Result<(), String> {
    let content = Content::of(api, &namespace.name).await;
    content.map_err(|why| format!("cannot read whether {namespace} is empty: {why}"))?.or_else("would be stranded")
}

/// Checks that a namespace that was recreated for stranded objects contains nothing else. Anything
/// that others have created in it since then would be lost.
pub(crate) async fn read_to_hold(
    api: &Api,
    namespace: &Object,
    may_be: impl Fn(Seen<'_>) -> bool,
) -> Result<(), String> {
    let name = namespace.name();
    let content = Content::but(api, name, may_be).await;
    content
        .map_err(|why| format!("the content of namespace {name} cannot be read: {why}"))?
        .or_else("created in it since then would be lost")
}

/// Checks by a consistent read that a namespace does not exist.
pub(crate) async fn read_to_be_missing(api: &Api, namespace: &str) -> Result<(), String> {
    let path = ResourceId::new("", "v1", "namespaces").path(None, Some(namespace));
    match api.get(&path, METADATA).await {
        Ok(_) => Err(format!("namespace {namespace} exists again: its content is no longer stranded")),
        Err(refusal) if refusal.is_not_found() => Ok(()),
        Err(refusal) => Err(format!("cannot read whether namespace {namespace} exists: {}", refusal.unread())),
    }
}
