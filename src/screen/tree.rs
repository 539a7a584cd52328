//! Trees drawn with lines.

use console::measure_text_width;

/// A line that is longer does not move the marks of the others.
const ALIGNED: usize = 200;

/// A line of a tree, what stands beside it, and what hangs below it.
pub(crate) struct Branch<M = String> {
    pub(crate) text: String,
    pub(crate) mark: M,
    pub(crate) below: Vec<Branch<M>>,
}

impl Branch {
    pub(crate) fn leaf(text: String, mark: impl Into<String>) -> Self {
        Self { text, mark: mark.into(), below: Vec::new() }
    }
}

/// The lines of branches, each with its mark; the text carries its lines.
pub(crate) fn grown<M>(branches: Vec<Branch<M>>) -> Vec<(String, M)> {
    let mut lines = Vec::new();
    grow(branches, "", &mut lines);
    lines
}

fn grow<M>(branches: Vec<Branch<M>>, indent: &str, lines: &mut Vec<(String, M)>) {
    let count = branches.len();
    for (index, branch) in branches.into_iter().enumerate() {
        let (knee, below) = if index + 1 == count { ("└─ ", "   ") } else { ("├─ ", "│  ") };
        lines.push((format!("{indent}{knee}{}", branch.text), branch.mark));
        grow(branch.below, &format!("{indent}{below}"), lines);
    }
}

/// The lines of branches with their marks in one column.
pub(crate) fn aligned(branches: Vec<Branch>) -> Vec<String> {
    let lines = grown(branches);
    let widths = lines.iter().map(|(left, _)| measure_text_width(left)).filter(|width| *width <= ALIGNED);
    let column = widths.max().unwrap_or_default() + 2;
    let padded = lines.into_iter().map(|(left, mark)| {
        let gap = " ".repeat(column.saturating_sub(measure_text_width(&left)));
        format!("{left}{gap}{mark}")
    });
    padded.collect()
}
