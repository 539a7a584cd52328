//! How much of each part a screen shows. A case with one cause fits a small terminal together
//! with its question: where it does not, less and less of it is shown. `-o wide` and the
//! details of the question show the rest.

/// How much of each part there is room for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Detail {
    /// Lines of a cause that follows from another one.
    pub follower: usize,
    /// Whether there is a tree of what waits for what.
    pub tree: bool,
    /// Rows of the table of what is blocked.
    pub rows: usize,
    /// Labelled lines of a cause, and lines of each.
    pub labels: usize,
    pub value: usize,
    /// Lines of a way out that is done by hand, and whether its consequence stands below it.
    pub by_hand: usize,
    pub has_consequence: bool,
    /// Lines of what could not be read, and of what else is beside the causes.
    pub unread: usize,
    pub remark: usize,
}

impl Detail {
    /// As much as a screen shows that may be of any length.
    pub const FULL: Self = Self {
        follower: 3,
        tree: true,
        rows: 5,
        labels: 4,
        value: 2,
        by_hand: usize::MAX,
        has_consequence: true,
        unread: 2,
        remark: 2,
    };

    /// Without the consequences of what is done by hand, whose lines are short.
    const SHORT_WAYS: Self = Self { by_hand: 2, has_consequence: false, ..Self::FULL };
    const WITHOUT_TREE: Self = Self { follower: 1, tree: false, ..Self::SHORT_WAYS };
    const SHORT_LINES: Self = Self { value: 1, unread: 1, remark: 1, ..Self::WITHOUT_TREE };
    const FEW_ROWS: Self = Self { rows: 3, labels: 2, by_hand: 1, ..Self::SHORT_LINES };
    /// As little as a cause can be understood by. The question names its objects, too.
    pub const LEAST: Self = Self { rows: 0, labels: 1, ..Self::FEW_ROWS };

    /// More than the least, and less and less.
    pub const LESS_AND_LESS: [Self; 5] =
        [Self::FULL, Self::SHORT_WAYS, Self::WITHOUT_TREE, Self::SHORT_LINES, Self::FEW_ROWS];
}
