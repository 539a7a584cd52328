//! How much of each part a screen shows. A single cause and its question fit a small terminal: if
//! they do not, parts are shortened step by step. `-o wide` and the details of the question show the
//! rest.

/// How much of each part may be shown.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Detail {
    /// Lines of a finding that follows from another one.
    pub follower: usize,
    /// Whether the tree of needs is shown.
    pub tree: bool,
    /// Rows of the table of what is blocked.
    pub rows: usize,
    /// How many labelled lines a cause has, and how many lines of the screen each of these may take.
    pub labels: usize,
    pub value: usize,
    /// How many remedies of each of several causes are shown.
    pub ways: usize,
    /// Lines of a remedy that is done by hand, and whether its consequence is shown below it.
    pub by_hand: usize,
    pub has_consequence: bool,
    /// Lines about unread facts, and about other remarks beside the causes.
    pub unread: usize,
    pub remark: usize,
}

impl Detail {
    /// The detail of a screen of unlimited length.
    pub const FULL: Self = Self {
        follower: 3,
        tree: true,
        rows: 5,
        labels: 4,
        value: 2,
        ways: 2,
        by_hand: usize::MAX,
        has_consequence: true,
        unread: 2,
        remark: 2,
    };

    /// Remedies done by hand are shorter and lack their consequences.
    const SHORT_WAYS: Self = Self { by_hand: 2, has_consequence: false, ..Self::FULL };
    const WITHOUT_TREE: Self = Self { follower: 1, tree: false, ..Self::SHORT_WAYS };
    const SHORT_LINES: Self = Self { value: 1, unread: 1, remark: 1, ..Self::WITHOUT_TREE };
    const FEW_ROWS: Self = Self { rows: 3, labels: 2, by_hand: 1, ..Self::SHORT_LINES };
    /// The least that makes a cause understandable. The question names its objects, too.
    pub const LEAST: Self = Self { rows: 0, labels: 1, ..Self::FEW_ROWS };

    /// Only the causes, and how many remedies there are: for several causes above a question.
    pub const CAUSES_ALONE: Self = Self { labels: 0, ways: 0, ..Self::LEAST };

    /// All details above the minimum, in decreasing order.
    pub const LESS_AND_LESS: [Self; 5] =
        [Self::FULL, Self::SHORT_WAYS, Self::WITHOUT_TREE, Self::SHORT_LINES, Self::FEW_ROWS];
}
