//! Trees drawn with lines.

use console::measure_text_width;

/// Marks are not aligned with lines longer than this.
const ALIGNED: usize = 200;

/// A line of a tree, its mark, and the branches below it.
pub(crate) struct Branch<M = String> {
    pub(crate) text: String,
    pub(crate) mark: M,
    pub(crate) below: Vec<Branch<M>>,
}

impl<M> Branch<M> {
    pub(crate) fn leaf(text: String, mark: impl Into<M>) -> Self {
        Self { text, mark: mark.into(), below: Vec::new() }
    }
}

/// The lines of the branches, each with its mark. The text includes the drawn lines.
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

/// The lines of the branches, with their marks in one column.
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
