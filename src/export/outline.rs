//! The parts of a report, in the order in which HTML and Markdown print them. Each format adds only its markup.

use crate::export::headline::headline;
use crate::report::{Finding, InstalledProduct, Numbered, ObjectNote, Report};
use crate::screen::marks::why_word;
use crate::screen::offers::{Offer, with_commands};
use crate::screen::targets::Standing;
use crate::screen::tree::Branch;
use crate::screen::{needs, targets, waits};
use std::borrow::Cow;

/// The parts of a report. Text from the cluster is as it was read.
pub(crate) struct Outline<'r> {
    /// The report in one line.
    pub(crate) title: String,
    /// The context and the version of the cluster, as far as they are known.
    pub(crate) cluster: Vec<String>,
    /// The targets, and how many are left out.
    pub(crate) targets: (Vec<Standing>, usize),
    /// The root causes.
    pub(crate) causes: Vec<Numbered<'r>>,
    /// The remedies with their commands.
    pub(crate) ways_out: Vec<(Offer<'r>, Vec<Cow<'r, str>>)>,
    /// What waits for what, and how many targets are left out.
    pub(crate) trees: (Vec<Branch>, usize),
    /// The findings that only follow from the causes, or explain nothing.
    pub(crate) also_found: Vec<Numbered<'r>>,
    /// Remarks below their headings, each with its subject; none of them is empty.
    pub(crate) remarks: Vec<(&'static str, Vec<(String, String)>)>,
}

impl<'r> Outline<'r> {
    /// The outline of a report.
    pub(crate) fn of(report: &'r Report) -> Self {
        let context = report.context.as_ref().map(|context| format!("context {context}"));
        let server = report.server.as_ref().map(|server| format!("Kubernetes {server}"));
        // Only roots are numbered.
        let findings = report.numbered().into_iter();
        let findings = findings.map(|told| Numbered { number: told.number.filter(|_| told.finding.root), ..told });
        let (causes, also_found) = findings.partition(|it| it.finding.is_root_cause());
        let is_trouble = report.findings.iter().any(Finding::is_trouble);
        Self {
            title: headline(report),
            cluster: context.into_iter().chain(server).collect(),
            targets: targets::standings(report),
            causes,
            ways_out: with_commands(report),
            trees: if is_trouble { needs::forest(report, waits::waits_for_something) } else { (Vec::new(), 0) },
            also_found,
            remarks: remarks(report),
        }
    }
}

/// How well the reason of a finding is known, if something is wrong.
pub(crate) fn certainty(finding: &Finding) -> Option<&'static str> {
    finding.is_trouble().then(|| why_word(finding.why))
}

/// Remarks about products, unread facts, waiting objects and other broken objects.
fn remarks(report: &Report) -> Vec<(&'static str, Vec<(String, String)>)> {
    let notes = |notes: &[ObjectNote]| -> Vec<(String, String)> {
        notes.iter().map(|note| (note.object.to_string(), note.why.to_string())).collect()
    };
    let of_products = |pick: fn(&InstalledProduct) -> &Vec<ObjectNote>| -> Vec<(String, String)> {
        report.products.iter().flat_map(|product| notes(pick(product))).collect()
    };
    let kinds = report.products.iter().flat_map(|product| &product.kinds).filter(|kind| kind.objects != Some(0));
    let kinds = kinds.map(|kind| (kind.resource.clone(), kind.fate())).collect();
    let by_itself = report.products.iter().map(|product| (product.called(), product.by_itself.to_string())).collect();
    let unread = report.unread.iter().map(|note| (note.what.clone(), note.why.to_string())).collect();
    let all = [
        ("The objects of its kinds", kinds),
        ("What uses it", of_products(|product| &product.used_by)),
        ("What its installer would leave", of_products(|product| &product.keeps)),
        ("What only has its labels or annotations, and is not deleted", of_products(|product| &product.apart)),
        ("What the installer does by itself", by_itself),
        ("What could not be read", unread),
        ("What follows", notes(&report.consequences)),
        ("What waits for it", notes(&report.waiters)),
        ("Also broken, but not a cause", notes(&report.also_broken)),
    ];
    all.into_iter().filter(|(_, notes)| !notes.is_empty()).collect()
}
