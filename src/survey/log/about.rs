//! Whether a record is about an object.
//!
//! Tenants get words into logs, so a record that names another object as its subject is about that one, whatever
//! it quotes. For an object in a namespace, a record must name the namespace, too.

use super::fields::Field;
use super::line::Topic;
use super::names::{holds, is_unusual, last_hump, words};
use super::record::Record;
use std::collections::BTreeSet;

/// How many ids of reconciliations are remembered.
const MAX_IDS: usize = 10_000;
/// Keys for the object that a record is about, whatever its kind.
const GENERIC: &str = "\
    cr customresource fields id instance item key mdc metadata name namespaced namespacedname nn obj object objectkey \
    objectref primary queue reconcilerequest ref req request resource resourceid resourcekey target";
/// Kinds that stand before names in small letters.
const BUILT_IN: &str = "\
    application configmap cronjob daemonset deployment endpoint endpointslice ingress job lease machine node \
    persistentvolume persistentvolumeclaim pod pvc replicaset role rolebinding secret service serviceaccount \
    statefulset volumeattachment";
/// The ends of words in capitals that are no kinds.
const NO_KIND: &str = "\
    ed error exception failure for id ing key name object operator reconciler ref request resource scope";

/// The object that records must be about, as it is looked for.
#[derive(Debug)]
pub(super) struct Matcher {
    namespace: Option<String>,
    name: String,
    uid: String,
    ids: Vec<String>,
    kind: String,
    hump: String,
    resource: String,
    finalizer: String,
    /// `namespace/name`
    pair: String,
    /// All names, for which a message is no trouble.
    names: Vec<String>,
    /// The ids of the reconciliations of the object.
    reconciled: BTreeSet<String>,
}

/// What the keys of a record say about its subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ByKeys {
    It,
    Another,
    Unknown,
}

/// An object that a record names by keys.
#[derive(Debug, Default)]
struct Identity<'r> {
    kind: Option<&'r str>,
    namespace: Option<&'r str>,
    name: Option<&'r str>,
}

impl Matcher {
    pub(super) fn new(topic: &Topic) -> Self {
        let lower = |text: &str| text.to_ascii_lowercase();
        let namespace = topic.namespace.clone().filter(|namespace| !namespace.is_empty());
        let pair = namespace.as_ref().map(|namespace| format!("{namespace}/{}", topic.name)).unwrap_or_default();
        let names = [&topic.kind, &topic.resource, &topic.name].into_iter();
        let names = names.chain(&topic.namespace).chain(&topic.finalizer).filter(|name| !name.is_empty());
        Self {
            names: names.map(|name| lower(name)).collect(),
            namespace,
            name: topic.name.clone(),
            uid: topic.uid.clone(),
            ids: topic.ids.iter().filter(|id| id.len() > 3).cloned().collect(),
            kind: lower(&topic.kind),
            hump: last_hump(&topic.kind),
            resource: lower(&topic.resource),
            finalizer: topic.finalizer.clone().unwrap_or_default(),
            pair,
            reconciled: BTreeSet::new(),
        }
    }

    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    /// Remembers the reconciliation of a record that is about the object by its keys.
    pub(super) fn learn(&mut self, record: &Record) {
        let Some(id) = record.field("reconcileID").filter(|id| !id.is_empty() && id.len() <= 64) else { return };
        if self.reconciled.len() < MAX_IDS && self.subject(record) == ByKeys::It {
            self.reconciled.insert(id.to_owned());
        }
    }

    /// Whether a record is about the object.
    pub(super) fn is_in(&self, record: &Record) -> bool {
        match self.subject(record) {
            ByKeys::It => true,
            _ if record.field("reconcileID").is_some_and(|id| self.reconciled.contains(id)) => true,
            ByKeys::Another => false,
            ByKeys::Unknown => self.is_in_words(record),
        }
    }

    /// Whether a record names the kind, the finalizer or the namespace, and no other object as its subject.
    pub(super) fn is_near(&self, record: &Record) -> bool {
        if self.is_about_its_closed_namespace(record) {
            return true;
        }
        if self.subject(record) == ByKeys::Another {
            return false;
        }
        let lower = record.raw.to_ascii_lowercase();
        let names = [&self.kind, &self.resource, &self.finalizer].into_iter().chain(&self.namespace);
        names.into_iter().any(|name| holds(&lower, &name.to_ascii_lowercase()))
    }

    /// Whether the server refuses something new in the object's namespace, whatever it is for: a controller that fails
    /// there may not come as far as the object.
    fn is_about_its_closed_namespace(&self, record: &Record) -> bool {
        let closed =
            |place: &String| record.raw.contains(&format!("in namespace {place} because it is being terminated"));
        self.namespace.as_ref().is_some_and(closed)
    }

    /// What the keys of a record say.
    fn subject(&self, record: &Record) -> ByKeys {
        let by_name = || record.field("controller").filter(|name| self.is_other_kind(name, true));
        let controller = record.field("controllerKind").or_else(by_name);
        let mut is_another = false;
        for identity in identities(record) {
            let kind = identity.kind.filter(|kind| !is_generic(kind));
            let is_kind = kind.or(controller).map(|kind| self.is_kind(kind));
            let is_place = identity.namespace.is_none_or(str::is_empty) && self.namespace.is_none()
                || identity.namespace == self.namespace.as_deref() && self.namespace.is_some();
            let is_named = identity.name == Some(&*self.name) && is_place;
            let is_by_controller = || record.field("controller").is_some_and(|name| self.is_kind(name));
            let is_known = match is_kind {
                Some(is_kind) => is_kind,
                None => self.namespace.is_some() || is_unusual(&self.name) || is_by_controller(),
            };
            if is_named && is_known {
                return ByKeys::It;
            }
            is_another |= is_named && is_kind == Some(false);
            let is_subject = kind.is_none_or(|kind| self.is_kind(kind) || controller == Some(kind) || is_capital(kind));
            is_another |= is_subject && identity.name.is_some() && identity.namespace.is_some();
            is_another |= self.namespace.is_none() && is_kind == Some(true) && identity.name.is_some();
        }
        let mut others = record.other_fields();
        if !self.uid.is_empty() && others.any(|field| field.value == self.uid) {
            return ByKeys::It;
        }
        let is_another = is_another || self.names_another_first(record);
        if is_another { ByKeys::Another } else { ByKeys::Unknown }
    }

    /// Whether the first object that a message names by kind or in brackets is another.
    fn names_another_first(&self, record: &Record) -> bool {
        let message = record.message.as_str();
        if let Some((first, _)) = message.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            return is_pair(first) && first != self.pair;
        }
        if self.namespace.is_none() {
            return false;
        }
        let words = words(message);
        for (at, word) in words.iter().enumerate().filter(|(_, word)| is_pair(word)) {
            let prior = prior(&words, at);
            let is_its = *word == self.pair;
            let is_other_kind = self.is_other_kind(prior, is_its && at < 2);
            if is_other_kind || is_its || self.is_kind(prior) {
                return is_other_kind || !is_its;
            }
        }
        false
    }

    /// Whether a record without keys names the object.
    fn is_in_words(&self, record: &Record) -> bool {
        let text = record.raw.as_str();
        if holds(text, &self.uid) || self.ids.iter().any(|id| holds(text, id)) {
            return true;
        }
        if !text.contains(&self.name) || self.name.is_empty() {
            return false;
        }
        let words = words(text);
        let is_others = |at: usize| self.is_other_kind(prior(&words, at), at < 2);
        let named: Vec<usize> = (0..words.len()).filter(|at| words[*at].ends_with(&self.name)).collect();
        let named: Vec<usize> = named.into_iter().filter(|at| !is_others(*at)).collect();
        match &self.namespace {
            None => named.iter().any(|at| self.is_unusual_or_of_kind(&words, *at)),
            Some(namespace) => {
                named.iter().any(|at| self.is_its_pair(words[*at])) || self.is_apart(namespace, &words, &named)
            }
        }
    }

    /// Whether a word is the namespace with the name, perhaps behind the kind.
    fn is_its_pair(&self, word: &str) -> bool {
        let Some(before) = word.strip_suffix(&self.pair) else { return false };
        before.is_empty() || before.strip_suffix('/').is_some_and(|kind| self.is_kind(kind))
    }

    /// Whether words at different places are the name and the namespace, and none is a namesake elsewhere.
    /// `named` are the places of words that end with the name.
    fn is_apart(&self, namespace: &str, words: &[&str], named: &[usize]) -> bool {
        let path = format!("namespaces/{namespace}/{}", self.resource);
        let is_name = |word: &str| match word.rsplit_once('/') {
            Some((before, name)) => name == self.name && (self.is_kind(before) || before.ends_with(&path)),
            None => word == self.name,
        };
        let is_elsewhere = words.windows(2).any(|pair| pair[0] == "namespace" && pair[1] != namespace);
        let is_here = words.windows(2).any(|pair| pair[0] == "namespace" && pair[1] == namespace);
        let is_namesake = |at: &usize| is_pair(words[*at]) && words[*at].ends_with(&format!("/{}", self.name));
        if is_elsewhere && !is_here || named.iter().any(|at| is_namesake(at) && !is_name(words[*at])) {
            return false;
        }
        // One word cannot be both, and may be the kind.
        let alike = usize::from(namespace == self.name) + usize::from(self.is_kind(&self.name));
        let count = named.iter().filter(|at| is_name(words[**at])).count();
        let has_place = words.iter().any(|word| *word == namespace || word.contains(&path));
        let tells = |word: &&str| self.is_kind(word) || *word == "namespace" || *word == self.finalizer;
        let is_told = words.iter().any(tells) || named.iter().any(|at| words[*at].contains('/'));
        count > alike && has_place && (is_told || is_unusual(&self.name))
    }

    /// Whether the word at a place is the name of an object of the whole cluster: nothing else has this name, or
    /// the kind is beside it.
    fn is_unusual_or_of_kind(&self, words: &[&str], at: usize) -> bool {
        let (kind, name) = words[at].rsplit_once('/').unwrap_or(("", words[at]));
        let beside = |at: Option<usize>| at.and_then(|at| words.get(at)).is_some_and(|word| self.is_kind(word));
        let is_beside = beside(at.checked_sub(1)) || beside(at.checked_sub(2)) || beside(at.checked_add(1));
        let is_alone = kind.is_empty() && (is_unusual(&self.name) || is_beside);
        name == self.name && (is_alone || self.is_kind(kind))
    }

    /// Whether a word means the kind: `KafkaTopic`, `topic`, `kafkatopics.kafka.strimzi.io`.
    fn is_kind(&self, word: &str) -> bool {
        let word = word.rsplit(['/', '=']).next().unwrap_or(word);
        let word = word.split('.').next().unwrap_or(word).to_ascii_lowercase();
        let is = |kind: &str| !kind.is_empty() && (word == kind || word.strip_suffix('s') == Some(kind));
        is(&self.kind) || is(&self.hump) || word == self.resource && !word.is_empty()
    }

    /// Whether a word before a name is the kind of other objects. A word at the beginning of a sentence is in
    /// capitals anyway.
    fn is_other_kind(&self, word: &str, is_first: bool) -> bool {
        let word = word.split('.').next().unwrap_or(word);
        let lower = word.to_ascii_lowercase();
        let is_built_in = is_in(BUILT_IN, &lower) || lower.strip_suffix('s').is_some_and(|one| is_in(BUILT_IN, one));
        let capitals = word.chars().filter(char::is_ascii_uppercase).count();
        let is_camel = is_capital(word) && (capitals > 1 || !is_first) && capitals < word.len();
        let is_kind = is_camel && !NO_KIND.split(' ').any(|end| lower.ends_with(end));
        (is_built_in || is_kind) && !self.is_kind(word)
    }
}

/// The objects that a record names by keys: pairs of name and namespace with a common beginning, and values
/// that are such a pair.
fn identities(record: &Record) -> Vec<Identity<'_>> {
    let fields: Vec<&Field> = record.other_fields().collect();
    let mut groups: Vec<(&str, Identity<'_>)> = Vec::new();
    let mut alone = Vec::new();
    for field in fields {
        let value = field.value.trim_matches(['[', ']', '"', '\'', ' ']);
        if let Some(identity) = of_value(&field.path, value) {
            alone.push(identity);
            continue;
        }
        let leaf = |end: &str| {
            let start = field.path.len().checked_sub(end.len())?;
            let (group, leaf) = field.path.split_at_checked(start)?;
            leaf.eq_ignore_ascii_case(end).then(|| group.trim_end_matches(['.', '_', '-']))
        };
        let (group, part) = match (leaf("namespace"), leaf("kind"), leaf("name")) {
            (Some(group), ..) => (group, 0),
            (_, Some(group), _) if !group.eq_ignore_ascii_case("controller") => (group, 1),
            (.., Some(group)) => (group, 2),
            _ => {
                alone.push(Identity { kind: Some(leaf_of(&field.path)), namespace: None, name: Some(value) });
                continue;
            }
        };
        let at = groups.iter().position(|(known, _)| *known == group).unwrap_or_else(|| {
            let kind = group.rsplit('.').next().filter(|kind| !kind.is_empty());
            groups.push((group, Identity { kind, ..Identity::default() }));
            groups.len() - 1
        });
        let identity = &mut groups[at].1;
        match part {
            0 => identity.namespace = Some(value),
            1 => identity.kind = Some(value),
            _ => identity.name = Some(value),
        }
    }
    groups.into_iter().map(|(_, identity)| identity).chain(alone).collect()
}

/// The object that a value names: `shop/orders`, `Database/shop/orders`, `Database.v1.acme.io/orders.shop`.
fn of_value<'r>(path: &'r str, value: &'r str) -> Option<Identity<'r>> {
    let leaf = leaf_of(path);
    let (before, name) = value.rsplit_once('/')?;
    if leaf.eq_ignore_ascii_case("ref") && before.contains(".v") {
        let (name, namespace) = name.split_once('.').unwrap_or((name, ""));
        let kind = before.split('.').next();
        return Some(Identity { kind, namespace: Some(namespace), name: Some(name) });
    }
    let (kind, namespace) = before.rsplit_once('/').unwrap_or((leaf, before));
    let is_one = is_pair(&value[value.len() - namespace.len() - name.len() - 1..]) && !kind.contains('/');
    is_one.then_some(Identity { kind: Some(kind), namespace: Some(namespace), name: Some(name) })
}

/// The last word of a key.
fn leaf_of(path: &str) -> &str {
    path.rsplit(['.', '/']).next().unwrap_or(path)
}

/// The word before a place.
fn prior<'w>(words: &[&'w str], at: usize) -> &'w str {
    at.checked_sub(1).map_or("", |at| words[at])
}

/// Whether a key says nothing about the kind: `app-qualified-name` is no kind.
fn is_generic(key: &str) -> bool {
    let is_of_name = ["-name", "_name", "-key", "_key"].iter().any(|end| key.to_ascii_lowercase().ends_with(end));
    key.is_empty() || is_of_name || is_in(GENERIC, &key.replace(['_', '-'], "").to_ascii_lowercase())
}

fn is_in(words: &str, word: &str) -> bool {
    words.split(' ').any(|known| known == word)
}

fn is_capital(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_uppercase()) && word.chars().all(|c| c.is_ascii_alphanumeric())
}

/// Whether a word can be `namespace/name`.
fn is_pair(word: &str) -> bool {
    let pair = word.split_once('/').filter(|(namespace, _)| !namespace.contains('.'));
    pair.is_some_and(|(namespace, name)| is_label(namespace) && is_label(name))
}

/// Whether a word can be a name.
fn is_label(word: &str) -> bool {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.".contains(c);
    !word.is_empty() && word.len() <= 253 && word.chars().all(fits)
}
