//! `-o mermaid`: the graph of waiting objects, as a flowchart for Markdown.

use crate::export::graph::{DiagramNode, graph};
use crate::report::Report;
use crate::screen::{Shown, clean_marked};
use std::fmt::Write;

/// The colours set both text and background, so that they are legible on any page.
const CLASSES: &str = "  classDef object fill:#f6f8fa,stroke:#57606a,color:#1f2328
  classDef target fill:#f6f8fa,stroke:#57606a,color:#1f2328,stroke-width:3px
  classDef root fill:#fff0ee,stroke:#b42318,color:#7a1710,stroke-width:3px
";

/// The graph as a flowchart; an arrow leads to the object that is waited for.
pub fn mermaid(report: &Report) -> Shown {
    let graph = graph(report);
    let mut text = String::from("flowchart LR\n");
    for (place, DiagramNode { lines, is_target, is_root }) in graph.nodes.iter().enumerate() {
        let label: Vec<String> = lines.iter().map(|line| escaped(line)).collect();
        let class = match (is_root, is_target) {
            (true, _) => "root",
            (false, true) => "target",
            (false, false) => "object",
        };
        let _ = writeln!(text, "  n{}[\"{}\"]:::{class}", place + 1, label.join("<br/>"));
    }
    for (from, to) in &graph.edges {
        let _ = writeln!(text, "  n{} --> n{}", from + 1, to + 1);
    }
    text.push_str(&order(report));
    Shown::finished(text + CLASSES)
}

/// The order of deletion in a preflight: an arrow leads to the next turn.
fn order(report: &Report) -> String {
    if report.order.is_empty() {
        return String::new();
    }
    let mut text = String::from("  subgraph order\n");
    for (turn, number) in report.order.iter().zip(1..) {
        let _ = writeln!(text, "  t{number}[\"{number}: {}\"]:::object", escaped(&turn.title.to_string()));
        if number > 1 {
            let _ = writeln!(text, "  t{} --> t{number}", number - 1);
        }
    }
    text + "  end\n"
}

/// Clean text within a quoted label: all but letters, digits and a few marks as entity codes, since
/// labels are parsed as Markdown and as HTML.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in clean_marked(text).chars() {
        if c.is_alphanumeric() || matches!(c, ' ' | '.' | ',' | ':' | '/' | '-' | '…') {
            safe.push(c);
        } else {
            let _ = write!(safe, "#{};", u32::from(c));
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::hostile;

    #[test]
    fn text_from_the_cluster_stays_in_its_label() {
        let chart = mermaid(&hostile::report());
        hostile::is_clean(&chart);
        for line in chart.lines().filter(|line| line.contains('[')) {
            let parts: Vec<&str> = line.split('"').collect();
            assert!(parts.len() == 3 && ["]:::root", "]:::object"].contains(&parts[2]), "{line}");
            let label = parts[1].replace("<br/>", "");
            assert!(!label.contains(['<', '>', '`', '*', '%', '[', '(', '\\', '&']), "{line}");
        }
    }
}
