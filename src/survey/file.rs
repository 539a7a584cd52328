//! The survey file: plain YAML that `survey` writes, `--from` reads, people attach to bug reports
//! and the tests use.
//!
//! It contains the fields of objects that rules ask for, and nothing else (see `allowed`). It contains
//! a few lines of logs if logs were requested.

use super::allowed::{Keeper, LeftOut};
use super::base::{self, Served};
use super::items::Items;
use super::yaml::{self, NotParsed};
use super::{
    Fact, Form, Log, LogLine, LogOf, LogReading, Object, ProbeOf, Probed, Purpose, ResourceId, Survey, TargetName,
    Unread, Want,
};
use crate::plugin::COMMAND;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::borrow::Borrow;
use std::iter::repeat_n;

pub use super::not_a_survey::NotASurvey;

/// The stack size of a thread that reads files from strangers.
pub use super::yaml::STACK;

/// The version that is written, and the only one that is accepted.
pub const API_VERSION: &str = "unstick.dev/v1alpha1";
const KIND: &str = "Survey";

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct FileHeader {
    api_version: String,
    kind: String,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct SurveyFile {
    api_version: String,
    kind: String,
    /// Only read, never written: a survey from a cluster is complete in itself.
    #[serde(default, skip_serializing)]
    base: Option<String>,
    taken_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    context: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    server: Option<String>,
    #[serde(default)]
    targets: Vec<TargetName>,
    #[serde(flatten)]
    purpose: Purpose,
    #[serde(default, skip_serializing_if = "LogReading::is_never")]
    logs: LogReading,
    discovery: Served,
    facts: Vec<Row>,
    /// Always the last field: a file without it was cut off.
    complete: bool,
}

#[derive(Default, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "the words of the file")]
struct Row {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    resource: Option<ResourceId>,
    /// Several resources instead of `resource`: the entry holds for each of them.
    #[serde(default, skip_serializing)]
    resources: Vec<ResourceId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    namespace: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    node: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    whole: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    owned: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    deleting: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    from: Option<ListSource>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    log: Option<LogOf>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    probe: Option<ProbeOf>,
    /// Whether to start from the base's fact.
    #[serde(default, skip_serializing)]
    base: bool,
    /// The objects of the base's list that this list lacks: names, or `namespace/name`.
    #[serde(default, skip_serializing)]
    less: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    items: Option<Items>,
    #[serde(default, deserialize_with = "single", skip_serializing_if = "Option::is_none")]
    found: Option<Box<Object>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lines: Option<Vec<LogLine>>,
    /// The times of the first and the last line of the log that were read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    begins: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ends: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    probed: Option<Probed>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    missing: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    unread: Option<Unread>,
}

/// The source of a list.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum ListSource {
    Store,
    Cache,
}

impl ListSource {
    fn of(form: Form) -> Option<Self> {
        match form {
            Form::Stored => Some(Self::Store),
            Form::Cached => Some(Self::Cache),
            Form::Metadata | Form::Whole | Form::Owned | Form::Deleting => None,
        }
    }
}

fn single<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Box<Object>>, D::Error> {
    let value = Option::<Value>::deserialize(deserializer)?;
    let object = value.map(Object::single).transpose().map_err(serde::de::Error::custom)?;
    Ok(object.map(Box::new))
}

/// Writes a survey as text.
///
/// # Errors
/// When a value cannot be written as YAML.
pub fn write(survey: &Survey) -> Result<String, NotASurvey> {
    write_telling(survey).map(|(text, _)| text)
}

/// Writes a survey as text, and counts what was left out.
///
/// # Errors
/// As for [`write()`].
pub fn write_telling(survey: &Survey) -> Result<(String, LeftOut), NotASurvey> {
    let mut keeper = Keeper::of(survey);
    let file = SurveyFile {
        api_version: API_VERSION.into(),
        kind: KIND.into(),
        base: None,
        taken_at: survey.taken_at,
        context: survey.context.clone(),
        server: survey.server.clone(),
        targets: survey.targets.clone(),
        purpose: survey.purpose.clone(),
        logs: survey.logs,
        discovery: survey.discovery.clone().into(),
        facts: survey.facts().map(|(want, fact)| row(want, keeper.fact(want, fact))).collect(),
        complete: true,
    };
    let text = serde_saphyr::to_string(&file);
    let text = text.map_err(|error| NotASurvey(format!("the survey cannot be written: {error}")))?;
    Ok((text, keeper.left_out))
}

/// Parses a complete file. Deep nesting needs a stack of [`STACK`].
///
/// # Errors
/// When the file is cut off, of another version, no survey, or names a base.
pub fn read(text: &str) -> Result<Survey, NotASurvey> {
    read_on(text, |path| -> Result<Survey, _> {
        Err(NotASurvey(format!("the survey names a base ({path}), but a complete survey is needed here")))
    })
}

/// Parses a complete file. `base` loads the base by the path in the file. Deep nesting needs a
/// stack of [`STACK`].
///
/// # Errors
/// As for [`read`]; or when there is no base, or the base does not contain what the file says.
pub fn read_on<B: Borrow<Survey>>(
    text: &str,
    base: impl FnOnce(&str) -> Result<B, NotASurvey>,
) -> Result<Survey, NotASurvey> {
    let file: SurveyFile = yaml::parse(text).map_err(|why| why_not(text, why))?;
    check(&file.kind, &file.api_version)?;
    let base = file.base.as_deref().map(base).transpose()?;
    let base = base.as_ref().map(Borrow::borrow);
    let mut survey = Survey::new(file.taken_at, file.discovery.on(base)?);
    (survey.context, survey.targets) = (file.context, file.targets);
    survey.server = file.server.or_else(|| base.and_then(|base| base.server.clone()));
    survey.purpose = file.purpose;
    survey.logs = file.logs;
    for row in file.facts {
        for (want, fact) in row.into_facts(base)? {
            survey.record(want, fact);
        }
    }
    Ok(survey)
}

/// The reason why a text cannot be parsed. Another version or kind explains more than a missing
/// field, so the text is parsed again for these.
fn why_not(text: &str, why: NotParsed) -> NotASurvey {
    let why = match why {
        NotParsed::Limit(why) => return NotASurvey(format!("not read: {why}")),
        NotParsed::Shape(why) => why,
    };
    match yaml::parse::<FileHeader>(text) {
        Err(NotParsed::Limit(why) | NotParsed::Shape(why)) => {
            NotASurvey(format!("not a survey, or an incomplete one: {why}"))
        }
        Ok(header) => check(&header.kind, &header.api_version)
            .err()
            .unwrap_or_else(|| NotASurvey(format!("the survey is damaged or incomplete: {why}; take it again"))),
    }
}

fn check(kind: &str, version: &str) -> Result<(), NotASurvey> {
    if kind != KIND {
        let kind = yaml::first_words(kind);
        return Err(NotASurvey(format!("not a survey: its kind is {kind:?}; `{COMMAND} survey` writes one")));
    }
    if version != API_VERSION {
        let version = yaml::first_words(version);
        return Err(NotASurvey(format!(
            "the survey has version {version:?}, and this program reads {API_VERSION}: use the version that wrote it"
        )));
    }
    Ok(())
}

fn row(want: &Want, fact: Fact) -> Row {
    let mut row = Row {
        resource: Some(want.resource.clone()),
        namespace: want.namespace.clone(),
        name: want.name.clone(),
        node: want.node.clone(),
        whole: want.form == Form::Whole,
        owned: want.form == Form::Owned,
        deleting: want.form == Form::Deleting,
        from: ListSource::of(want.form),
        log: want.log.as_deref().cloned(),
        probe: want.probe.as_deref().cloned(),
        ..Row::default()
    };
    match fact {
        Fact::Listed(items) => row.items = Some(Items(items)),
        Fact::Found(object) => row.found = Some(object),
        Fact::Logged(Log { begins, ends, lines }) => {
            (row.begins, row.ends, row.lines) = (begins, ends, Some(lines));
        }
        Fact::Probed(probed) => row.probed = Some(probed),
        Fact::Missing => row.missing = true,
        Fact::Unread(unread) => row.unread = Some(unread),
    }
    row
}

impl Row {
    /// The facts, one for each of the entry's resources.
    fn into_facts(mut self, base: Option<&Survey>) -> Result<Vec<(Want, Fact)>, NotASurvey> {
        let resources = match (self.resource.take(), std::mem::take(&mut self.resources)) {
            (Some(one), several) if several.is_empty() => vec![one],
            (None, several) if !several.is_empty() => several,
            _ => return Err(NotASurvey("each entry of the survey must have either resource or resources".into())),
        };
        let wants: Vec<Want> = resources.into_iter().map(|resource| self.want(resource)).collect();
        let (on_base, less) = (self.base, std::mem::take(&mut self.less));
        let own = self.into_fact().map_err(|()| not_one_fact(&wants[0]))?;
        let facts = wants.iter().zip(repeat_n(own, wants.len())).map(|(want, own)| match own {
            own if on_base => base::fact(base, want, own, &less),
            _ if !less.is_empty() => Err(base::less_than_nothing(want)),
            own => own.ok_or_else(|| not_one_fact(want)),
        });
        let facts = facts.collect::<Result<Vec<Fact>, _>>()?;
        Ok(wants.into_iter().zip(facts).collect())
    }

    fn want(&self, resource: ResourceId) -> Want {
        Want {
            form: match () {
                () if self.whole => Form::Whole,
                () if self.owned => Form::Owned,
                () if self.deleting => Form::Deleting,
                () => match self.from {
                    Some(ListSource::Store) => Form::Stored,
                    Some(ListSource::Cache) => Form::Cached,
                    None => Form::Metadata,
                },
            },
            resource,
            namespace: self.namespace.clone(),
            name: self.name.clone(),
            node: self.node.clone(),
            log: self.log.clone().map(Box::new),
            probe: self.probe.clone().map(Box::new),
        }
    }

    /// The entry's only fact, if any; an error if there are several.
    fn into_fact(self) -> Result<Option<Fact>, ()> {
        let (begins, ends) = (self.begins, self.ends);
        let mut facts = (self.items.map(|Items(items)| Fact::Listed(items)).into_iter())
            .chain(self.found.map(Fact::Found))
            .chain(self.lines.map(|lines| Fact::Logged(Log { begins, ends, lines })))
            .chain(self.probed.map(Fact::Probed))
            .chain(self.missing.then_some(Fact::Missing))
            .chain(self.unread.map(Fact::Unread));
        let fact = facts.next();
        if facts.next().is_some() { Err(()) } else { Ok(fact) }
    }
}

fn not_one_fact(want: &Want) -> NotASurvey {
    NotASurvey(format!(
        "the survey's entry for {want} must have exactly one of items, found, lines, probed, missing, unread"
    ))
}

#[cfg(test)]
mod tests {
    use super::super::{Bearing, Discovery, Probe, Reason, Refused, Sought, Topic};
    use super::*;
    use serde_json::json;

    fn survey() -> Survey {
        let mut survey = Survey::new("2026-01-01T00:00:00Z".parse().unwrap(), Discovery::default());
        let pods = ResourceId::new("", "v1", "pods");
        let pod: Object = serde_json::from_value(json!({"apiVersion": "v1", "kind": "Pod",
            "metadata": {"name": "p", "finalizers": ["a.io/x"],
                "annotations": {"kubectl.kubernetes.io/last-applied-configuration": "hidden-1"}},
            "spec": {"containers": [{"env": [{"name": "PASSWORD", "value": "hidden-2"}]}]}}))
        .unwrap();
        survey.record(Want::get(&pods, Some("shop"), "p", Form::Whole), Fact::Found(Box::new(pod)));
        survey.record(Want::list(&pods, Some("shop"), Form::Metadata), Fact::Listed(vec![]));
        survey.record(Sought::pods_on(&pods, "n").want(), Fact::Listed(vec![]));
        survey.record(Want::get(&pods, Some("shop"), "gone", Form::Whole), Fact::Missing);
        let unread = Unread { reason: Reason::Forbidden, message: "no".into() };
        let log = LogOf { container: "c".into(), previous: true, about: Topic::default() };
        let line = LogLine::new("2026-01-01T00:00:00.5Z".parse().ok(), Bearing::Names, "ä: \"b\"");
        survey.record(Want::log("shop", "p", log), Fact::Logged(Log { lines: vec![line], ..Log::default() }));
        survey.logs = LogReading::IfNeeded;
        for what in [Probe::Delete, Probe::RemoveFinalizer("a.io/x".into())] {
            let of = ProbeOf { what, uid: "u".into(), at: 0, user: None };
            let want = Want { probe: Some(Box::new(of)), ..Want::get(&pods, Some("shop"), "p", Form::Metadata) };
            let refused = Refused { code: 500, reason: "InternalError".into(), message: "no: \"w\"".into() };
            survey.record(want, Fact::Probed(Probed::Refused(refused)));
        }
        let of = ProbeOf { what: Probe::Delete, uid: "v".into(), at: 0, user: None };
        let want = Want { probe: Some(Box::new(of)), ..Want::get(&pods, Some("shop"), "q", Form::Metadata) };
        survey.record(want, Fact::Probed(Probed::Passed));
        survey.record(Want::list(&ResourceId::new("a.io", "v1", "xs"), None, Form::Metadata), Fact::Unread(unread));
        survey
    }

    #[test]
    fn a_written_survey_is_read_back() {
        let text = write(&survey()).unwrap();
        let back = read(&text).unwrap();
        assert_eq!(write(&back).unwrap(), text);
        assert_eq!((back.facts().count(), back.logs), (9, LogReading::IfNeeded));
    }

    #[test]
    fn lines_of_logs_are_read_back_as_they_are() {
        let texts =
            ["a   b ".repeat(50), format!("{}  {{\"x\": \"# 'y'\"}}", "z".repeat(75)), "- x: |".into(), "null".into()];
        let line = |text: &String| LogLine::new(None, Bearing::Names, text.trim());
        let lines: Vec<LogLine> = texts.iter().map(line).collect();
        let log = LogOf { container: "c".into(), previous: false, about: Topic::default() };
        let want = Want::log("shop", "p", log);
        let mut survey = survey();
        let fact = Fact::Logged(Log { begins: "2026-01-01T00:00:00Z".parse().ok(), ends: None, lines });
        survey.record(want.clone(), fact.clone());
        let back = read(&write(&survey).unwrap()).unwrap();
        assert_eq!(back.fact(&want), Some(&fact));
    }

    #[test]
    fn values_that_may_be_secret_stay_out() {
        let text = write(&survey()).unwrap();
        assert!(text.contains("a.io/x") && !text.contains("PASSWORD") && !text.contains("hidden"), "{text}");
    }

    #[test]
    fn a_cut_off_file_is_refused_at_every_length() {
        let text = write(&survey()).unwrap();
        for length in (0..text.trim_end().len()).filter(|length| text.is_char_boundary(*length)) {
            assert!(read(&text[..length]).is_err(), "{}", &text[..length]);
        }
    }

    #[test]
    fn long_lists_are_read_back_and_missed_when_cut_off() {
        let mut survey = survey();
        let all = Want::list(&ResourceId::new("", "v1", "configmaps"), None, Form::Metadata);
        let object = |number: u32| {
            serde_json::from_value(json!({"metadata": {"name": format!("c-{number}"), "uid": "u"}})).unwrap()
        };
        let objects: Vec<Object> = (0..500).map(object).collect();
        survey.record(all.clone(), Fact::Listed(objects.clone()));
        let text = write(&survey).unwrap();
        assert_eq!(read(&text).unwrap().fact(&all), Some(&Fact::Listed(objects)));
        for length in (0..text.trim_end().len()).step_by(211) {
            assert!(read(&text[..length]).is_err(), "{}", &text[..length]);
        }
    }

    #[test]
    fn another_version_is_refused_with_its_name() {
        let text = write(&survey()).unwrap().replace("v1alpha1", "v9");
        assert!(read(&text).unwrap_err().to_string().contains("unstick.dev/v9"));
    }

    #[test]
    fn another_kind_is_refused() {
        assert!(read("apiVersion: v1\nkind: Pod\n").unwrap_err().to_string().contains("\"Pod\""));
    }
}
