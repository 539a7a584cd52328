//! `-o dot`: the graph of waiting objects, for Graphviz.

use crate::export::graph::{DiagramNode, graph};
use crate::report::Report;
use crate::screen::{Shown, clean_marked, wrap};
use std::fmt::Write;

/// The style: a target has a thick border, a root cause a double red one.
const HEAD: &str = "\
digraph unstick {
  rankdir=LR
  node [shape=box style=filled fillcolor=\"#f6f8fa\" color=\"#57606a\" fontcolor=\"#1f2328\" fontname=\"Helvetica,Arial,sans-serif\" fontsize=11]
  edge [color=\"#57606a\"]
";
const TARGET: &str = " penwidth=2.5";
const ROOT: &str = " peripheries=2 fillcolor=\"#fff0ee\" color=\"#b42318\" fontcolor=\"#7a1710\"";

/// Labels are broken at this width.
const WIDTH: usize = 40;

/// The graph as a `digraph`; an arrow leads to the object that is waited for.
pub fn dot(report: &Report) -> Shown {
    let graph = graph(report);
    let mut text = String::from(HEAD);
    for (place, DiagramNode { lines, is_target, is_root }) in graph.nodes.iter().enumerate() {
        let label: Vec<String> = lines.iter().flat_map(|line| broken(line)).map(|line| escaped(&line)).collect();
        let target = if *is_target { TARGET } else { "" };
        let root = if *is_root { ROOT } else { "" };
        let _ = writeln!(text, "  n{} [label=\"{}\"{target}{root}]", place + 1, label.join("\\n"));
    }
    for (from, to) in &graph.edges {
        let _ = writeln!(text, "  n{} -> n{}", from + 1, to + 1);
    }
    Shown::finished(text + "}\n")
}

/// The line in pieces, since Graphviz does not wrap.
fn broken(line: &str) -> Vec<String> {
    wrap(&clean_marked(line), WIDTH).lines().map(|piece| piece.trim().to_owned()).collect()
}

/// Clean text within a quoted label. Graphviz interprets backslashes and the entities of HTML.
fn escaped(text: &str) -> String {
    clean_marked(text).replace('\\', "\\\\").replace('"', "\\\"").replace('&', "&amp;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::hostile;

    #[test]
    fn text_from_the_cluster_stays_in_its_label() {
        let graph = dot(&hostile::report());
        hostile::is_clean(&graph);
        for line in graph.lines().filter(|line| line.contains("label=")) {
            let bare = line.replace("\\\\", "").replace("\\\"", "");
            let label = bare.split('"').nth(1).expect("a label");
            assert!(label.contains("ROOT CAUSE 1") && !label.replace("\\n", "").contains('\\'), "{line}");
            assert!(!label.replace("&amp;", "").contains('&'), "{line}");
        }
    }
}
