//! The truth about a state, and the judgement of a report by it.

use crate::object::Id;
use serde_json::Value;
use std::collections::BTreeMap;

/// One true root.
#[derive(Debug, Clone)]
pub struct Truth {
    /// A short description.
    pub what: String,
    /// A root finding must name one of these.
    pub names: Vec<Named>,
    /// A root finding that names one of these, and none of the above, is not wrong.
    pub also: Vec<Id>,
    /// The possible states of the controller, if the truth is about one.
    pub controller: Vec<&'static str>,
    /// Whether nothing proves it, so that a report must not call it proven.
    pub likely: bool,
    /// Words that the finding must contain because the reason is incomplete without them: a field,
    /// or the words of a controller.
    pub words: Vec<String>,
}

/// An object or finalizer that must be named.
#[derive(Debug, Clone)]
pub enum Named {
    /// This object, as the one waited for, as a broken link or as a workload.
    Object(Id),
    /// This finalizer on this object, without a blamed workload.
    Finalizer(Id, String),
}

impl Truth {
    /// This object is at fault.
    pub fn object(what: &str, id: &Id) -> Self {
        Self::new(what, Named::Object(id.clone()))
    }

    /// The finalizer exists, and its controller does not.
    pub fn finalizer(what: &str, on: &Id, finalizer: &str) -> Self {
        Self::new(what, Named::Finalizer(on.clone(), finalizer.into()))
    }

    fn new(what: &str, named: Named) -> Self {
        Self {
            what: what.into(),
            names: vec![named],
            also: Vec::new(),
            controller: Vec::new(),
            likely: false,
            words: Vec::new(),
        }
    }

    /// Adds words that the finding must contain.
    pub fn says(mut self, words: &str) -> Self {
        self.words.push(words.into());
        self
    }

    /// Marks the truth as impossible to prove.
    pub fn only_likely(self) -> Self {
        Self { likely: true, ..self }
    }

    /// Sets the possible states of its controller.
    pub fn controller(self, states: &[&'static str]) -> Self {
        Self { controller: states.to_vec(), ..self }
    }

    /// Adds an object that may be named instead.
    pub fn or(mut self, id: &Id) -> Self {
        self.names.push(Named::Object(id.clone()));
        self
    }

    /// Adds an object that may also be named.
    pub fn besides(mut self, id: &Id) -> Self {
        self.also.push(id.clone());
        self
    }

    fn is_named_by(&self, finding: &Finding) -> bool {
        self.words.iter().all(|word| finding.text.contains(word)) && self.is_about(finding)
    }

    fn is_about(&self, finding: &Finding) -> bool {
        self.names.iter().any(|named| match named {
            Named::Object(id) => finding.culprits.iter().any(|culprit| culprit.is(id)),
            Named::Finalizer(on, finalizer) => {
                finding.objects.iter().any(|object| object.is(on))
                    && finding.finalizer.as_ref() == Some(finalizer)
                    && finding.workload.is_none()
            }
        })
    }

    /// All objects of the truth, which a repair may touch.
    pub fn objects(&self) -> impl Iterator<Item = &Id> {
        let named = self.names.iter().map(|named| match named {
            Named::Object(id) | Named::Finalizer(id, _) => id,
        });
        named.chain(&self.also)
    }
}

/// The parts of a finding that are judged.
#[derive(Debug, Clone)]
struct Finding {
    rule: String,
    cause: String,
    summary: String,
    /// `Proven`, `Likely` or `Unknown`.
    why: String,
    finalizer: Option<String>,
    /// The waiting objects.
    objects: Vec<Id>,
    /// The blamed objects: the one waited for, the broken link, the controller's workload, or the
    /// waiting object itself.
    culprits: Vec<Id>,
    workload: Option<Id>,
    state: Option<String>,
    /// The whole text of the finding.
    text: String,
}

impl Finding {
    fn of(finding: &Value) -> Self {
        let items = |field: &str| finding[field].as_array().into_iter().flatten();
        let one = |value: &Value| value.is_object().then(|| Id::in_report(value));
        let objects: Vec<Id> =
            one(&finding["subject"]).into_iter().chain(items("objects").map(Id::in_report)).collect();
        let links = items("chain").filter(|link| link["state"] == "Broken").map(|link| Id::in_report(&link["object"]));
        let workload = one(&finding["controller"]["workload"]);
        let blamed = one(&finding["waitsFor"]).into_iter().chain(links).chain(workload.clone());
        let text = |value: &Value| value.as_str().map(ToOwned::to_owned);
        Self {
            rule: text(&finding["rule"]).unwrap_or_default(),
            cause: text(&finding["cause"]).unwrap_or_default(),
            summary: text(&finding["summary"]).unwrap_or_default(),
            why: text(&finding["why"]).unwrap_or_default(),
            finalizer: text(&finding["finalizer"]),
            culprits: blamed.chain(objects.clone()).collect(),
            objects,
            workload,
            state: text(&finding["controller"]["state"]),
            text: finding.to_string(),
        }
    }

    fn says(&self) -> String {
        format!("{} ({}): {}", self.rule, self.why, self.summary)
    }
}

/// The comparison of a report with the truth.
#[derive(Debug, Clone, Default)]
pub struct Verdict {
    /// The number of true roots.
    pub roots: usize,
    /// Truths that no root finding names.
    pub missed: Vec<String>,
    /// Root findings that match no truth.
    pub false_roots: Vec<String>,
    /// Findings that call something proven that is wrong.
    pub wrong_proven: Vec<String>,
    /// States of targets that are wrong.
    pub wrong_state: Vec<String>,
    /// For `why Proven`, `state Down` and so on: how often it was right, and how often it was claimed.
    pub calibration: BTreeMap<String, (usize, usize)>,
}

impl Verdict {
    /// Whether the report has no mistakes.
    pub fn is_right(&self) -> bool {
        self.missed.is_empty()
            && self.false_roots.is_empty()
            && self.wrong_proven.is_empty()
            && self.wrong_state.is_empty()
    }

    /// All mistakes, one per line.
    pub fn lines(&self) -> Vec<String> {
        let said = |what: &str, lines: &[String]| -> Vec<String> {
            lines.iter().map(|line| format!("{what}: {line}")).collect()
        };
        [
            said("not named", &self.missed),
            said("false root", &self.false_roots),
            said("wrong Proven", &self.wrong_proven),
            said("wrong state", &self.wrong_state),
        ]
        .concat()
    }

    fn count(&mut self, what: String, right: bool) {
        let entry = self.calibration.entry(what).or_default();
        entry.0 += usize::from(right);
        entry.1 += 1;
    }
}

/// Judges a report by the truths about the targets, whose right state is `state`.
pub fn judge(report: &Value, truths: &[Truth], state: &str) -> Verdict {
    let mut verdict = Verdict { roots: truths.len(), ..Verdict::default() };
    let roots: Vec<Finding> = report["findings"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(|finding| finding["root"] == true)
        .map(Finding::of)
        .filter(|finding| !matches!(finding.cause.as_str(), "progressing" | "not-deleting"))
        .collect();
    for truth in truths {
        if !roots.iter().any(|finding| truth.is_named_by(finding)) {
            verdict.missed.push(truth.what.clone());
        }
    }
    for finding in &roots {
        judge_root(finding, truths, &mut verdict);
    }
    for target in report["targets"].as_array().into_iter().flatten() {
        let said = target["state"].as_str().unwrap_or_default();
        if said != state {
            verdict.wrong_state.push(format!("{} is {said}, not {state}", Id::in_report(&target["object"])));
        }
    }
    verdict
}

fn judge_root(finding: &Finding, truths: &[Truth], verdict: &mut Verdict) {
    let of: Vec<&Truth> = truths.iter().filter(|truth| truth.is_named_by(finding)).collect();
    let beside = || truths.iter().flat_map(|truth| &truth.also).any(|id| finding.culprits.iter().any(|it| it.is(id)));
    let right = !of.is_empty() || beside();
    verdict.count(format!("why {}", finding.why), right);
    if !right {
        verdict.false_roots.push(finding.says());
    }
    let mut wrong = !right;
    if let Some(state) = &finding.state {
        let told: Vec<&str> = of.iter().flat_map(|truth| &truth.controller).copied().collect();
        let right = right && (told.is_empty() || told.contains(&state.as_str()));
        verdict.count(format!("controller {state}"), right);
        wrong |= !right;
    }
    if finding.why == "Proven" && (wrong || of.iter().any(|truth| truth.likely)) {
        verdict.wrong_proven.push(finding.says());
    }
}
