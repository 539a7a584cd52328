//! The output formats: what each is called, and how it prints a report. Whoever lists formats reads this table.

use crate::export::argocd::argocd;
use crate::export::dot::dot;
use crate::export::html::html;
use crate::export::json::{json, json_line, yaml_document};
use crate::export::junit::junit;
use crate::export::markdown::markdown;
use crate::export::mermaid::mermaid;
use crate::export::name::names;
use crate::export::prometheus::prometheus;
use crate::report::Report;
use crate::screen::{Look, Shown, screen, waits, yaml};
use clap::ValueEnum;
use serde::Serialize;

/// `-o`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Output {
    /// Causes, what decides them, and what to do.
    Table,
    /// The same with all evidence, where it was read, and all ways out.
    Wide,
    /// What waits for what; with `owners`, owners and dependents.
    Tree,
    /// TYPE/NAME of each object that is stuck; with `journal`, the runs.
    Name,
    /// For programs.
    Json,
    /// The same as json.
    Yaml,
    /// For a ticket.
    Markdown,
    /// For CI, with a test case for each object.
    Junit,
    /// What waits for what, as a Mermaid flowchart.
    Mermaid,
    /// What waits for what, for Graphviz.
    Dot,
    /// One self-contained page for a browser.
    Html,
    /// Metrics of a scan, for Prometheus.
    Prometheus,
    /// The health scripts of `explain`, for Argo CD.
    Argocd,
}

/// How a format prints reports, which decides where it is offered.
#[derive(Debug, Clone, Copy)]
pub enum Printer {
    /// A screen for a person.
    Screen(fn(&Report, Look) -> Shown),
    /// All of it for programs: alone, and as one of many.
    Data(fn(&Report) -> Shown, fn(&Report) -> Shown),
    /// Text, in which one cluster may follow another.
    Text(fn(&Report) -> Shown),
    /// A document about one cluster.
    Document(fn(&Report) -> Shown),
    /// Metrics of a scan of several clusters, labelled with their contexts on request.
    Metrics(fn(&[Report], bool) -> Shown),
    /// A file of the program itself, not a report.
    Own(fn() -> Shown),
}

impl Output {
    /// What prints a report in this format.
    #[must_use]
    pub fn printer(self) -> Printer {
        match self {
            Self::Table | Self::Wide => Printer::Screen(screen),
            Self::Tree => Printer::Screen(waits),
            Self::Name => Printer::Text(names),
            Self::Json => Printer::Data(json, json_line),
            Self::Yaml => Printer::Data(yaml, yaml_document),
            Self::Markdown => Printer::Text(markdown),
            Self::Junit => Printer::Document(junit),
            Self::Mermaid => Printer::Document(mermaid),
            Self::Dot => Printer::Document(dot),
            Self::Html => Printer::Document(html),
            Self::Prometheus => Printer::Metrics(prometheus),
            Self::Argocd => Printer::Own(argocd),
        }
    }

    /// The formats of a report on one cluster, in which every command prints that has such a report.
    pub fn of_reports() -> impl Iterator<Item = Self> {
        let all = Self::value_variants().iter().copied();
        all.filter(|format| !matches!(format.printer(), Printer::Metrics(_) | Printer::Own(_)))
    }

    /// The formats of a scan: those of a report, and metrics.
    pub fn of_scans() -> impl Iterator<Item = Self> {
        Self::value_variants().iter().copied().filter(|format| !matches!(format.printer(), Printer::Own(_)))
    }

    /// Whether it is a screen for a person, who can be asked about each step.
    #[must_use]
    pub fn is_screen(self) -> bool {
        matches!(self, Self::Table | Self::Wide)
    }

    /// Whether a report can be printed in it again and again.
    #[must_use]
    pub fn is_repeatable(self) -> bool {
        self.is_screen() || matches!(self.printer(), Printer::Data(..))
    }

    /// A report in this format.
    pub fn report(self, report: &Report, look: Look) -> Shown {
        match self.printer() {
            Printer::Screen(print) => print(report, look),
            Printer::Data(print, _) | Printer::Text(print) | Printer::Document(print) => print(report),
            Printer::Metrics(print) => print(std::slice::from_ref(report), false),
            Printer::Own(print) => print(),
        }
    }

    /// Any value in this format; `None` if the format has no words for it.
    pub fn value(self, value: &impl Serialize) -> Option<Shown> {
        match self {
            Self::Json => Some(json(value)),
            Self::Yaml => Some(yaml(value)),
            _ => None,
        }
    }
}
