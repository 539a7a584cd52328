//! Recorded surveys on a diet: a scenario's file contains only the differences from the baseline,
//! the survey of an empty cluster of the same version in `tests/baselines`. Nine in ten lines would
//! be the same in all of them.
//!
//! Objects that an API server creates by itself have different uids and times in each cluster. An
//! object that differs from the baseline's only in these is taken from there.

use crate::compact;
use jiff::Timestamp;
use kubectl_unstick::survey::file::{self, API_VERSION, NotASurvey};
use kubectl_unstick::survey::{
    Fact, Form, LogLine, LogOf, LogReading, Object, ProbeOf, Probed, Purpose, Resource, ResourceId, Survey, TargetName,
    Unread, Want,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The time of everything in a baseline: before every scenario, whichever is recorded first.
const LONG_AGO: &str = "2020-01-01T00:00:00Z";
/// Kinds that are renewed or recreated all the time, so that no two clusters agree.
const MOVING: [&str; 2] = ["events", "leases"];
/// Kinds whose writers say nothing about why something else waits.
const WRITTEN_BY_ANYBODY: [&str; 4] = ["customresourcedefinitions", "namespaces", "nodes", "serviceaccounts"];

/// The baseline of a server's version.
pub fn baseline_file(version: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/baselines/{version}.yaml"))
}

/// Reads a recorded survey, with its baseline if it has one.
pub fn read(path: &Path) -> Result<Survey, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{error}; record it: see CONTRIBUTING.md"))?;
    let folder = path.parent().expect("a file is in a folder");
    file::read_on(&text, |base| baseline(&folder.join(base))).map_err(|error| error.to_string())
}

/// A baseline, parsed once in a process.
pub fn baseline(path: &Path) -> Result<&'static Survey, NotASurvey> {
    static READ: Mutex<BTreeMap<PathBuf, &'static Survey>> = Mutex::new(BTreeMap::new());
    let because = |error: &dyn std::fmt::Display| {
        NotASurvey::for_want_of_its_base(format!("baseline {}: {error}; see CONTRIBUTING.md", path.display()))
    };
    let path = path.canonicalize().map_err(|error| because(&error))?;
    let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(survey) = read.get(&path) {
        return Ok(survey);
    }
    let text = std::fs::read_to_string(&path).map_err(|error| because(&error))?;
    let survey: &'static Survey = Box::leak(Box::new(file::read(&text)?));
    read.insert(path, survey);
    Ok(survey)
}

/// The parts of an empty cluster to keep: its resources, and lists that are not empty.
pub fn baseline_of(empty_cluster: &Survey) -> Survey {
    let mut kept = Survey::new(long_ago(), empty_cluster.discovery.clone());
    kept.server.clone_from(&empty_cluster.server);
    for (want, fact) in empty_cluster.facts() {
        if let Fact::Listed(items) = fact
            && !items.is_empty()
            && !is_moving(want)
        {
            let mut items: Vec<Object> = items.iter().map(|object| settled(want, object)).collect();
            items.iter_mut().for_each(without_fields_of_conditions);
            kept.record(want.clone(), Fact::Listed(items));
        }
    }
    kept
}

/// The file of a baseline.
pub fn baseline_text(baseline: &Survey) -> String {
    let text = compact::lay_out(&file::write(baseline).expect("a survey is YAML"));
    format!(
        "# What an empty cluster holds: the base of the recorded surveys. CONTRIBUTING.md says how it is made.\n{text}"
    )
}

/// The cluster-wide lists in a recorded survey, which a baseline should have, too. The survey's own
/// baseline need not exist.
pub fn cluster_wide(text: &str) -> BTreeSet<Want> {
    #[derive(Deserialize)]
    struct File {
        facts: Vec<Entry>,
    }
    #[derive(Deserialize)]
    struct Entry {
        resource: Option<ResourceId>,
        #[serde(default)]
        resources: Vec<ResourceId>,
        namespace: Option<String>,
        name: Option<String>,
        node: Option<String>,
        #[serde(default)]
        whole: bool,
        #[serde(default)]
        owned: bool,
        #[serde(default)]
        deleting: bool,
        from: Option<String>,
    }
    let File { facts } = serde_saphyr::from_str(text).expect("a survey");
    let mut wants = BTreeSet::new();
    let is_wide = |entry: &Entry| entry.namespace.is_none() && entry.name.is_none() && entry.node.is_none();
    for entry in facts.into_iter().filter(is_wide) {
        let form = match entry.from.as_deref() {
            _ if entry.whole => Form::Whole,
            _ if entry.owned => Form::Owned,
            _ if entry.deleting => Form::Deleting,
            Some("store") => Form::Stored,
            Some(_) => Form::Cached,
            None => Form::Metadata,
        };
        let resources = entry.resource.into_iter().chain(entry.resources);
        wants.extend(resources.map(|resource| Want::list(&resource, None, form)).filter(|want| !is_moving(want)));
    }
    wants
}

fn is_moving(want: &Want) -> bool {
    MOVING.contains(&want.resource.plural.as_str())
}

fn long_ago() -> Timestamp {
    LONG_AGO.parse().expect("a time")
}

/// The object without the parts that differ between two clusters.
fn settled(want: &Want, object: &Object) -> Object {
    let mut object = object.clone();
    object.metadata.uid = format!("baseline/{}/{}", want.resource, key(&object)).as_str().into();
    object.metadata.resource_version = object.metadata.resource_version.map(|_| "1".into());
    object.metadata.creation_timestamp = object.metadata.creation_timestamp.map(|_| long_ago());
    object.body.get_mut("status").map(settle_times);
    object
}

fn settle_times(value: &mut Value) {
    match value {
        Value::Object(fields) => fields.values_mut().for_each(settle_times),
        Value::Array(items) => items.iter_mut().for_each(settle_times),
        Value::String(text) if text.parse::<Timestamp>().is_ok() => LONG_AGO.clone_into(text),
        _ => {}
    }
}

/// `namespace/name`, or the name of a cluster-scoped object.
fn key(object: &Object) -> String {
    let namespace = object.metadata.namespace.as_ref().map(|namespace| format!("{namespace}/"));
    format!("{}{}", namespace.unwrap_or_default(), object.name())
}

/// Whether two surveys are equal except for uids and times that servers assign.
pub fn agree(one: &Survey, other: &Survey) -> bool {
    let bare = |survey: &Survey| {
        let mut bare = survey.clone();
        for (want, fact) in survey.facts() {
            if let Fact::Listed(items) = fact {
                let items = items.iter().map(|object| settled(want, object)).collect();
                bare.record(want.clone(), Fact::Listed(items));
            }
        }
        bare
    };
    bare(one) == bare(other)
}

/// The file of a survey without a base. It omits the roles of Kubernetes' own controllers, which
/// would be half of it and are irrelevant.
///
/// # Panics
/// If it cannot be written.
pub fn alone(whole: &Survey) -> String {
    let mut survey = whole.clone();
    let lists = whole.facts().filter(|(want, _)| want.resource.group == "rbac.authorization.k8s.io");
    for (want, fact) in lists {
        let Fact::Listed(objects) = fact else { continue };
        let others = objects.iter().filter(|object| !object.name().starts_with("system:controller:"));
        survey.record(want.clone(), Fact::Listed(others.cloned().collect()));
    }
    file::write(&survey).expect("a survey can be written")
}

/// The file of a scenario's survey, as differences from the baseline of its version.
///
/// # Panics
/// If that baseline is missing, or the file would not mean the same.
pub fn thinned(whole: &Survey) -> String {
    let version = whole.server.as_deref().expect("a survey says the server's version");
    let base = baseline(&baseline_file(version)).unwrap_or_else(|error| panic!("{error}"));
    thin(&without_writers(whole), base, &format!("../../baselines/{version}.yaml"))
}

/// The survey without irrelevant managedFields: all of kinds that anybody writes, except those of a
/// target, and the field names below conditions.
fn without_writers(whole: &Survey) -> Survey {
    let mut kept = whole.clone();
    let by_anybody = |want: &Want| WRITTEN_BY_ANYBODY.contains(&want.resource.plural.as_str());
    let is_target = |object: &Object| whole.targets.iter().any(|target| target.name == object.name());
    for (want, fact) in whole.facts() {
        let bare = |object: &Object| {
            let mut bare = object.clone();
            if by_anybody(want) && !is_target(object) {
                bare.metadata.managed_fields = changed_conversion(object);
            }
            without_fields_of_conditions(&mut bare);
            bare
        };
        let fact = match fact {
            Fact::Listed(objects) => Fact::Listed(objects.iter().map(bare).collect()),
            Fact::Found(object) => Fact::Found(Box::new(bare(object))),
            other => other.clone(),
        };
        kept.record(want.clone(), fact);
    }
    kept
}

/// The manager that last set a definition's conversion after its creation, and the time.
fn changed_conversion(definition: &Object) -> Value {
    let created = definition.metadata.creation_timestamp.map(|at| at.to_string());
    let entries = definition.metadata.managed_fields.as_array().into_iter().flatten();
    let changed = entries.filter(|entry| {
        entry.pointer("/fieldsV1/f:spec/f:conversion").is_some() && entry["time"].as_str() != created.as_deref()
    });
    let kept: Vec<Value> = changed
        .map(|entry| {
            let mut entry = entry.clone();
            entry["fieldsV1"] = json!({"f:spec": {"f:conversion": {}}});
            entry
        })
        .collect();
    if kept.is_empty() { Value::Null } else { kept.into() }
}

/// Reduces managedFields to the fact that somebody writes the conditions.
fn without_fields_of_conditions(object: &mut Object) {
    if object.metadata.managed_fields.is_null() {
        return;
    }
    for entry in object.metadata.managed_fields.as_array_mut().into_iter().flatten() {
        if let Some(conditions) = entry.pointer_mut("/fieldsV1/f:status/f:conditions") {
            *conditions = json!({});
        }
    }
}

/// The file of a survey, as differences from `base`, which is at `path`.
///
/// # Panics
/// If it would not mean the same.
pub fn thin(whole: &Survey, base: &Survey, path: &str) -> String {
    let text = Thinner::new(whole, base).text(path);
    let back = file::read_on(&text, |_| Ok(base)).expect("what is written is read");
    assert!(agree(&back, whole), "the survey on a diet says something else:\n{text}");
    text
}

/// An object wherever it is listed or found, in any version.
type Id = (String, String);

struct Thinner<'s> {
    whole: &'s Survey,
    base: &'s Survey,
    lists: BTreeMap<&'s Want, BTreeMap<String, &'s Object>>,
    /// The objects that the base lacks or has differently. An object that differs in one entry is
    /// taken from the survey in all entries, as its uid must be the same.
    own: BTreeSet<Id>,
}

impl<'s> Thinner<'s> {
    fn new(whole: &'s Survey, base: &'s Survey) -> Self {
        let lists =
            base.facts().map(|(want, fact)| (want, objects(fact).iter().map(|object| (key(object), object)).collect()));
        let mut thinner = Self { whole, base, lists: lists.collect(), own: BTreeSet::new() };
        let mentioned = mentioned(whole);
        for (want, fact) in whole.facts() {
            for object in objects(fact) {
                if mentioned.contains(object.uid()) || !thinner.is_in_base(want, object) {
                    thinner.own.insert(id(want, object));
                }
            }
        }
        thinner
    }

    fn is_in_base(&self, want: &Want, object: &Object) -> bool {
        let same = self.lists.get(want).and_then(|list| list.get(&key(object)));
        same.is_some_and(|same| settled(want, object) == **same)
    }

    fn text(&self, path: &str) -> String {
        let Survey { taken_at, context, server, targets, purpose, logs, .. } = self.whole;
        let file = File {
            api_version: API_VERSION,
            kind: "Survey",
            base: path,
            taken_at: *taken_at,
            context: context.as_deref(),
            server: server.as_deref().filter(|server| self.base.server.as_deref() != Some(server)),
            targets,
            purpose,
            logs: *logs,
            discovery: self.discovery(),
            facts: self.rows(),
            complete: true,
        };
        compact::lay_out(&serde_saphyr::to_string(&file).expect("a survey is YAML"))
    }

    fn discovery(&self) -> Served<'s> {
        let (whole, base) = (&self.whole.discovery.resources, &self.base.discovery.resources);
        let stale = &self.whole.discovery.stale[..];
        let has = |all: &[Resource], id: &ResourceId| all.iter().any(|resource| resource.id == *id);
        let (kept, less): (Vec<_>, Vec<_>) = base.iter().map(|resource| &resource.id).partition(|id| has(whole, id));
        let added = whole.iter().map(|resource| &resource.id).filter(|id| !has(base, id));
        // The reader of the file combines both in this order.
        if !kept.into_iter().chain(added).eq(whole.iter().map(|resource| &resource.id)) {
            return Served { base: false, less: Vec::new(), resources: Some(whole.iter().collect()), stale };
        }
        let own: Vec<_> = whole.iter().filter(|resource| !base.contains(resource)).collect();
        Served { base: true, less, resources: Some(own).filter(|own| !own.is_empty()), stale }
    }

    /// The rows: those that a person should read first, then those that the base also has, and
    /// empty ones last.
    fn rows(&self) -> Vec<Row<'s>> {
        let mut rows: Vec<Row> = Vec::new();
        let mut alike: BTreeMap<String, usize> = BTreeMap::new();
        for (want, fact) in self.whole.facts() {
            let row = self.row(want, fact);
            let says = row.says_for_several();
            if let Some(at) = says.as_ref().and_then(|says| alike.get(says)) {
                let alike: &mut Row = &mut rows[*at];
                alike.resources.push(&want.resource);
                continue;
            }
            alike.extend(says.map(|says| (says, rows.len())));
            rows.push(row);
        }
        rows.sort_by_key(Row::place);
        rows.iter_mut().for_each(Row::name_its_resource);
        rows
    }

    fn row(&self, want: &'s Want, fact: &'s Fact) -> Row<'s> {
        let row = Row::of(want, fact);
        let (Some(list), Fact::Listed(items)) = (self.lists.get(want), fact) else { return row };
        let listed: Vec<String> = items.iter().map(key).collect();
        let own: Vec<&Object> = items.iter().filter(|object| self.own.contains(&id(want, object))).collect();
        if own.len() == items.len() || !listed.is_sorted() {
            return row;
        }
        let less = list.keys().filter(|key| !listed.contains(key)).cloned().collect();
        Row { base: true, less, items: Some(own).filter(|own| !own.is_empty()), ..row }
    }
}

fn id(want: &Want, object: &Object) -> Id {
    (want.resource.short(), key(object))
}

/// The objects of a fact.
pub fn objects(fact: &Fact) -> &[Object] {
    match fact {
        Fact::Listed(items) => items,
        Fact::Found(object) => std::slice::from_ref(object),
        Fact::Logged(_) | Fact::Probed(_) | Fact::Missing | Fact::Unread(_) => &[],
    }
}

/// The uids that something else in the survey refers to.
fn mentioned(survey: &Survey) -> BTreeSet<&str> {
    let mut uids = BTreeSet::new();
    for (want, fact) in survey.facts() {
        uids.extend(want.probe.iter().map(|probe| probe.uid.as_str()));
        uids.extend(want.log.iter().map(|log| log.about.uid.as_str()));
        for object in objects(fact) {
            uids.extend(object.metadata.owner_references.iter().map(|owner| owner.uid.as_str()));
            object.body.values().for_each(|value| uids_in(value, &mut uids));
        }
    }
    if let Purpose::Orphans(scope) = &survey.purpose {
        uids.extend(scope.without_owners_before.iter().flatten().map(String::as_str));
    }
    uids
}

fn uids_in<'s>(value: &'s Value, uids: &mut BTreeSet<&'s str>) {
    match value {
        Value::Object(fields) => {
            uids.extend(fields.get("uid").and_then(Value::as_str));
            fields.values().for_each(|value| uids_in(value, uids));
        }
        Value::Array(items) => items.iter().for_each(|item| uids_in(item, uids)),
        _ => {}
    }
}

/// The survey file as `src/survey/file.rs` reads it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct File<'s> {
    api_version: &'s str,
    kind: &'s str,
    base: &'s str,
    taken_at: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    context: Option<&'s str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    server: Option<&'s str>,
    targets: &'s [TargetName],
    #[serde(flatten)]
    purpose: &'s Purpose,
    #[serde(skip_serializing_if = "LogReading::is_never")]
    logs: LogReading,
    discovery: Served<'s>,
    facts: Vec<Row<'s>>,
    complete: bool,
}

#[derive(Serialize)]
struct Served<'s> {
    #[serde(skip_serializing_if = "is_false")]
    base: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    less: Vec<&'s ResourceId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    resources: Option<Vec<&'s Resource>>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    stale: &'s [String],
}

#[derive(Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "the words of the file")]
struct Row<'s> {
    #[serde(skip_serializing_if = "Option::is_none")]
    resource: Option<&'s ResourceId>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    resources: Vec<&'s ResourceId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    namespace: Option<&'s str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'s str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    node: Option<&'s str>,
    #[serde(skip_serializing_if = "is_false")]
    whole: bool,
    #[serde(skip_serializing_if = "is_false")]
    owned: bool,
    #[serde(skip_serializing_if = "is_false")]
    deleting: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<&'s str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    log: Option<&'s LogOf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    probe: Option<&'s ProbeOf>,
    #[serde(skip_serializing_if = "is_false")]
    base: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    less: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    items: Option<Vec<&'s Object>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    found: Option<&'s Object>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<&'s [LogLine]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    begins: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ends: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    probed: Option<&'s Probed>,
    #[serde(skip_serializing_if = "is_false")]
    missing: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    unread: Option<&'s Unread>,
}

impl<'s> Row<'s> {
    fn of(want: &'s Want, fact: &'s Fact) -> Self {
        let from = match want.form {
            Form::Stored => Some("store"),
            Form::Cached => Some("cache"),
            Form::Metadata | Form::Whole | Form::Owned | Form::Deleting => None,
        };
        let mut row = Self {
            resource: None,
            resources: vec![&want.resource],
            namespace: want.namespace.as_deref(),
            name: want.name.as_deref(),
            node: want.node.as_deref(),
            whole: want.form == Form::Whole,
            owned: want.form == Form::Owned,
            deleting: want.form == Form::Deleting,
            from,
            log: want.log.as_deref(),
            probe: want.probe.as_deref(),
            base: false,
            less: Vec::new(),
            items: None,
            found: None,
            lines: None,
            begins: None,
            ends: None,
            probed: None,
            missing: false,
            unread: None,
        };
        match fact {
            Fact::Listed(items) => row.items = Some(items.iter().collect()),
            Fact::Found(object) => row.found = Some(object),
            Fact::Logged(log) => (row.begins, row.ends, row.lines) = (log.begins, log.ends, Some(log.lines.as_slice())),
            Fact::Probed(probed) => row.probed = Some(probed),
            Fact::Missing => row.missing = true,
            Fact::Unread(unread) => row.unread = Some(unread),
        }
        row
    }

    fn has_items(&self) -> bool {
        self.items.as_ref().is_some_and(|items| !items.is_empty())
    }

    /// The key of a row besides its resource, if one row can serve several resources.
    fn says_for_several(&self) -> Option<String> {
        let is_short = self.name.is_none() && !self.has_items() && self.less.is_empty();
        let Self { namespace, node, whole, owned, deleting, from, base, unread, .. } = self;
        is_short.then(|| format!("{:?}", (namespace, node, (whole, owned, deleting), from, base, unread)))
    }

    fn place(&self) -> u8 {
        match () {
            () if self.items.as_ref().is_some_and(Vec::is_empty) => 2,
            () if self.base && !self.has_items() && self.less.is_empty() => 1,
            () => 0,
        }
    }

    /// Names a single resource as in every other survey.
    fn name_its_resource(&mut self) {
        if let [single] = self.resources[..] {
            self.resource = Some(single);
            self.resources.clear();
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's skip_serializing_if passes a reference")]
fn is_false(value: &bool) -> bool {
    !value
}
