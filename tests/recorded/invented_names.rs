//! A survey without any known name.
//!
//! Every word of a product's name, API group, kind, finalizer, image and workload becomes an
//! invented word: the same one everywhere, in names, labels, messages, rights, logs and managed
//! fields, so that references still match. Names of Kubernetes itself are kept, and so are words
//! that describe a purpose.

use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Words that describe a purpose rather than an owner, or that occur in Kubernetes' own sentences:
/// a name of only these words is kept.
const KEPT: &str = "admin agent api apiserver apps at attacher batch by client cloud com configuration controller core \
    create csi custom default delete deletion dev driver election end example external finalizer finished for from \
    group id image in invalid io is kube kubectl kubelet kubernetes leader lease left list load local manager master \
    metrics mode name new node none object of old on operator org patch pod pv pvc request resource role rolebinding \
    scheduler server service state status storage svc system template the time to token type update use user value version \
    watch webhook worker";
/// The resources whose objects are renamed, in addition to kinds.
const NAMED: [&str; 11] = [
    "deployments", "statefulsets", "daemonsets", "replicasets", "cronjobs", "serviceaccounts", "clusterroles",
    "clusterrolebindings", "roles", "rolebindings", "csidrivers",
];
/// Values of Kubernetes' own fields.
const VALUES: &str = "clusterip failedattachvolume failedmount foregrounddeletion loadbalancer mountvolume \
    networkunavailable nodeport orphan readwriteonce";
/// The prefixes of the field managers of commands and of client libraries.
const CLIENTS: [&str; 4] = ["Terraform", "fabric8-", "kube-", "kubectl-"];
/// The domains of annotations and labels of installers.
const INSTALLERS: [&str; 3] = ["helm.sh", "meta.helm.sh", "operators.coreos.com"];
/// Fields whose values are not names.
const NO_NAMES: [&str; 4] = ["uid", "verbs", "time", "resourceVersion"];
/// Fields of Kubernetes' own objects whose keys are names.
const MAPS: [&str; 6] = ["labels", "annotations", "matchLabels", "selector", "nodeSelector", "driverRequires"];

/// The names of one survey, and their replacements.
pub struct Names {
    /// The replacements of words.
    words: BTreeMap<String, String>,
    /// Kinds in one word, with their plurals.
    kinds: BTreeMap<String, String>,
    /// Kinds of Kubernetes, and words that are kept.
    own: BTreeSet<String>,
}

impl Names {
    /// The names in a survey that is not completed from its base; `own` are the kinds of Kubernetes.
    pub fn of(survey: &Value, own: &BTreeSet<String>) -> Self {
        let own: BTreeSet<String> = own.iter().cloned().chain(VALUES.split_whitespace().map(str::to_owned)).collect();
        let mut found = Found { kept: KEPT.split_whitespace().collect(), own: &own, words: BTreeSet::new() };
        found.survey(survey);
        let mut names = Self { words: invented(&found.words), kinds: BTreeMap::new(), own: own.clone() };
        for (kind, plural, singular) in custom_kinds(survey).filter(|(_, plural, _)| !own.contains(*plural)) {
            let mut called = names.run(kind).to_lowercase();
            if called == kind.to_lowercase() {
                called = format!("{}q", called.replace(['a', 'e', 'i', 'o', 'u'], "u"));
                names.kinds.insert(kind.to_lowercase(), called.clone());
            }
            for (one, plural) in [(singular, false), (plural, true), (&kind.to_lowercase(), false)] {
                let renamed = if plural { format!("{called}s") } else { called.clone() };
                names.kinds.insert(one.to_owned(), renamed);
            }
        }
        names
    }

    /// The words that occur in the names of both.
    pub fn in_both<'n>(&'n self, other: &Self) -> Vec<&'n String> {
        self.words.keys().filter(|word| other.words.contains_key(*word)).collect()
    }

    /// A survey with the invented names.
    pub fn rename(&self, survey: &mut Value) {
        let Some(fields) = survey.as_object_mut() else { return };
        for (field, value) in fields {
            match (field.as_str(), value) {
                ("facts", Value::Array(rows)) => rows.iter_mut().for_each(|row| self.row(row)),
                ("base" | "server" | "takenAt" | "apiVersion" | "kind", _) => {}
                (_, value) => self.value(value, Keys::Fields),
            }
        }
    }

    fn row(&self, row: &mut Value) {
        let of = row["resource"].as_str().or(row["resources"][0].as_str()).unwrap_or_default().to_owned();
        let keys = if is_own(group_of(&of)) { Keys::Fields } else { Keys::All };
        for (field, value) in row.as_object_mut().into_iter().flatten() {
            self.value(value, if field == "items" || field == "found" { keys } else { Keys::Fields });
        }
    }

    fn value(&self, value: &mut Value, keys: Keys) {
        match value {
            Value::String(text) => *text = self.text(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.value(item, keys)),
            Value::Object(fields) => {
                let renamed = std::mem::take(fields).into_iter().map(|(key, mut value)| {
                    if !NO_NAMES.contains(&key.as_str()) {
                        let inside = if MAPS.contains(&key.as_str()) { Keys::All } else { keys };
                        self.value(&mut value, inside);
                    }
                    let is_name = keys == Keys::All
                        || key.contains(['/', '.', ':']) && !key.starts_with("f:")
                        || key.starts_with("f:") && key.contains(['/', '.']);
                    (if is_name { self.text(&key) } else { key }, value)
                });
                *fields = renamed.collect::<Map<String, Value>>();
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    /// A text with the invented names.
    pub fn text(&self, text: &str) -> String {
        pieces(text)
            .map(|piece| match piece {
                Piece::Run(run) => self.run(run),
                Piece::Other(other) => other.to_owned(),
            })
            .collect()
    }

    fn run(&self, run: &str) -> String {
        let lower = run.to_lowercase();
        if self.own.contains(&lower) {
            return run.to_owned();
        }
        match self.kinds.get(&lower) {
            Some(kind) if !run.chars().skip(1).any(char::is_uppercase) => like(run, kind),
            Some(kind) if parts(run).all(|part| !self.words.contains_key(&part.to_lowercase())) => like(run, kind),
            _ => parts(run).map(|part| self.word(part)).collect(),
        }
    }

    fn word(&self, part: &str) -> String {
        let lower = part.to_lowercase();
        let one = || self.words.get(lower.strip_suffix('s')?).map(|word| format!("{word}s"));
        let word = self.words.get(&lower).cloned().or_else(one);
        word.map_or_else(|| part.to_owned(), |word| like(part, &word))
    }
}

/// The keys that are names.
#[derive(Clone, Copy, PartialEq)]
enum Keys {
    /// Keys that are not fields: labels, and their traces in managed fields.
    Fields,
    /// All keys.
    All,
}

/// The words of names found so far.
struct Found<'s> {
    kept: BTreeSet<&'static str>,
    own: &'s BTreeSet<String>,
    words: BTreeSet<String>,
}

impl Found<'_> {
    fn survey(&mut self, survey: &Value) {
        for (kind, plural, _) in custom_kinds(survey) {
            // A kind with the plural of a built-in kind keeps its name.
            if !self.own.contains(plural) {
                self.name(kind);
            }
        }
        for resource in items(&survey["discovery"]["resources"]).map(|resource| text(resource, "resource")) {
            self.name(group_of(resource));
        }
        for row in items(&survey["facts"]) {
            let of = row["resource"].as_str().or(row["resources"][0].as_str()).unwrap_or_default();
            let plural = of.rsplit('/').next().unwrap_or_default();
            let found = row.get("found");
            for object in items(&row["items"]).chain(found) {
                let metadata = &object["metadata"];
                items(&metadata["finalizers"]).filter_map(Value::as_str).for_each(|finalizer| self.name(finalizer));
                let managers = items(&metadata["managedFields"]).map(|entry| text(entry, "manager"));
                managers.filter(|manager| !is_a_client(manager)).for_each(|manager| self.name(manager));
                if NAMED.contains(&plural) && !self.own.contains(text(metadata, "name")) {
                    self.name(text(metadata, "name"));
                }
                self.images(object);
            }
        }
    }

    fn images(&mut self, value: &Value) {
        match value {
            Value::Object(fields) => {
                for (key, value) in fields {
                    match value.as_str().filter(|_| key == "image") {
                        Some(image) => self.name(image),
                        None => self.images(value),
                    }
                }
            }
            Value::Array(items) => items.iter().for_each(|item| self.images(item)),
            _ => {}
        }
    }

    fn name(&mut self, name: &str) {
        for piece in pieces(name) {
            let Piece::Run(run) = piece else { continue };
            if self.own.contains(&run.to_lowercase()) {
                continue;
            }
            for part in parts(run).map(str::to_lowercase) {
                let one = part.strip_suffix('s').unwrap_or(&part);
                let is_kept = |word: &str| self.kept.contains(word) || self.own.contains(word);
                if part.len() > 1 && part.chars().all(char::is_alphabetic) && !is_kept(&part) && !is_kept(one) {
                    self.words.insert(part);
                }
            }
        }
    }
}

/// An invented word for each, in the same order, so that sorting stays the same.
fn invented(words: &BTreeSet<String>) -> BTreeMap<String, String> {
    const CONSONANTS: &[u8] = b"bdgjkqvwxz";
    const VOWELS: &[u8] = b"aeou";
    let syllables = CONSONANTS.len() * VOWELS.len();
    let syllable = |at: usize| [CONSONANTS[at / VOWELS.len()], VOWELS[at % VOWELS.len()]];
    let mut map: BTreeMap<String, String> = BTreeMap::new();
    for (at, word) in words.iter().enumerate() {
        // `flux` and `fluxcd` still have the same beginning.
        let begins = words.iter().filter(|other| other.len() > 3 && *other != word && word.starts_with(*other)).max();
        let begins = begins.and_then(|other| map.get(other)).cloned().unwrap_or_default();
        let place = at * syllables * syllables / words.len();
        let own = [syllable(place / syllables), syllable(place % syllables)].concat();
        map.insert(word.clone(), format!("{begins}{}x", String::from_utf8_lossy(&own)));
    }
    map
}

/// Kind, plural and singular of custom kinds.
fn custom_kinds(survey: &Value) -> impl Iterator<Item = (&str, &str, &str)> {
    let all = items(&survey["discovery"]["resources"]);
    let custom = all.filter(|resource| !is_own(group_of(text(resource, "resource"))));
    custom.map(|resource| {
        let plural = text(resource, "resource").rsplit('/').next().unwrap_or_default();
        (text(resource, "kind"), plural, text(resource, "singular"))
    })
}

/// The group of `group/version/plural`.
fn group_of(resource: &str) -> &str {
    resource.rsplitn(3, '/').nth(2).unwrap_or_default()
}

/// Whether a group is Kubernetes' own: the API server lets nobody else define kinds below `k8s.io`
/// without an approval, and `x-k8s.io` is not below it.
fn is_own(group: &str) -> bool {
    !group.contains('.') || group.ends_with(".k8s.io")
}

enum Piece<'t> {
    /// Letters and digits that may be a name.
    Run(&'t str),
    Other(&'t str),
}

/// The pieces of a text. A name below the domains of Kubernetes is one piece.
fn pieces(mut rest: &str) -> impl Iterator<Item = Piece<'_>> {
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let end_of = |text: &str, is: fn(char) -> bool| text.find(|c| !is(c)).unwrap_or(text.len());
        let is_part = |c: char| c.is_ascii_alphanumeric();
        let in_domain = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c);
        let (end, is_run) = if is_part(first) {
            let domain = end_of(rest, in_domain);
            if is_kept_domain(rest[..domain].trim_end_matches(['.', '-'])) {
                let path = rest[domain..].strip_prefix('/').map_or(0, |path| 1 + end_of(path, in_domain));
                (domain + path, false)
            } else {
                (end_of(rest, is_part), true)
            }
        } else {
            (rest.find(is_part).unwrap_or(rest.len()), false)
        };
        let (piece, after) = rest.split_at(end);
        rest = after;
        Some(if is_run { Piece::Run(piece) } else { Piece::Other(piece) })
    })
}

/// Whether many programs write under this name: a command, or a library's default.
fn is_a_client(manager: &str) -> bool {
    CLIENTS.iter().any(|client| manager.starts_with(client))
}

fn is_kept_domain(name: &str) -> bool {
    let below = |domain: &str| name.strip_suffix(domain).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    ((below("k8s.io") || below("kubernetes.io")) && !name.starts_with("registry.")) || INSTALLERS.into_iter().any(below)
}

/// `GitRepository`: `Git`, `Repository`; digits are separate parts.
fn parts(run: &str) -> impl Iterator<Item = &str> {
    let chars: Vec<char> = run.chars().collect();
    let begins = move |at: &usize| {
        let (before, this, next) = (chars[at - 1], chars[*at], chars.get(at + 1));
        before.is_ascii_digit() != this.is_ascii_digit()
            || this.is_uppercase() && (before.is_lowercase() || next.is_some_and(|next| next.is_lowercase()))
    };
    let mut starts: Vec<usize> = (1..run.len()).filter(begins).collect();
    starts.insert(0, 0);
    starts.push(run.len());
    (1..starts.len()).map(move |at| &run[starts[at - 1]..starts[at]])
}

/// The word in the case of another: `ACME`, `Acme`, `acme`.
fn like(other: &str, word: &str) -> String {
    let first = other.starts_with(char::is_uppercase);
    if first && other.len() > 1 && !other.contains(char::is_lowercase) {
        return word.to_uppercase();
    }
    if first { word[..1].to_uppercase() + &word[1..] } else { word.to_owned() }
}

fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text<'v>(value: &'v Value, field: &str) -> &'v str {
    value[field].as_str().unwrap_or_default()
}

#[test]
fn words_are_renamed_consistently() {
    let own = ["deployments", "deployment", "configmap"].map(str::to_owned).into();
    let mut survey = serde_json::json!({
        "discovery": {"resources": [{"resource": "db.acme.io/v1/backupplans", "kind": "BackupPlan", "singular": "backupplan"}]},
        "facts": [{"resource": "db.acme.io/v1/backupplans", "items": [{"metadata": {"name": "nightly",
            "finalizers": ["acme.io/drain", "kubernetes.io/pvc-protection"], "labels": {"acme.io/tier": "gold"},
            "managedFields": [{"manager": "acme-operator", "fieldsV1": {"f:metadata": {"v:\"acme.io/drain\"": {}}}}]},
            "spec": {"backupPlanRef": {"name": "acme-weekly"}}, "status": {"message":
                "User \"system:serviceaccount:acme-system:acme-operator\" cannot list backupplans.db.acme.io; ACME_URL of \
                 BackupPlan is empty"}}]},
            {"resource": "apps/v1/deployments", "items": [{"metadata": {"name": "acme-operator"}}]}],
    });
    let names = Names::of(&survey, &own);
    names.rename(&mut survey);
    let (acme, backup, plan, drain) =
        (&names.words["acme"], &names.words["backup"], &names.words["plan"], &names.words["drain"]);
    let capital = |word: &str| like("Acme", word);
    let (kind, plural) = (format!("{}{}", capital(backup), capital(plan)), format!("{backup}{plan}s"));
    let renamed = serde_json::json!({
        "discovery": {"resources": [{"resource": format!("db.{acme}.io/v1/{plural}"), "kind": kind,
            "singular": format!("{backup}{plan}")}]},
        "facts": [{"resource": format!("db.{acme}.io/v1/{plural}"), "items": [{"metadata": {"name": "nightly",
            "finalizers": [format!("{acme}.io/{drain}"), "kubernetes.io/pvc-protection"],
            "labels": {format!("{acme}.io/tier"): "gold"},
            "managedFields": [{"manager": format!("{acme}-operator"),
                "fieldsV1": {"f:metadata": {format!("v:\"{acme}.io/{drain}\""): {}}}}]},
            "spec": {format!("{backup}{}Ref", capital(plan)): {"name": format!("{acme}-weekly")}},
            "status": {"message": format!(
                "User \"system:serviceaccount:{acme}-system:{acme}-operator\" cannot list {plural}.db.{acme}.io; {}_URL of \
                 {kind} is empty", acme.to_uppercase())}}]},
            {"resource": "apps/v1/deployments", "items": [{"metadata": {"name": format!("{acme}-operator")}}]}],
    });
    let db = &names.words["db"];
    let renamed = renamed.to_string().replace("db.", &format!("{db}."));
    assert_eq!(survey.to_string(), renamed);
}
