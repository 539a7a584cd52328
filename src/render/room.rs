//! How much of each part a screen shows. A case with one cause fits a small terminal together
//! with its question: where it does not, less and less of it is shown. `-o wide` and the
//! details of the question show the rest.

/// How much of each part there is room for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Room {
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

impl Room {
    /// As much as a screen shows that may be of any length.
    pub const FULL: Self = Self {
        follower: 2,
        tree: true,
        rows: 5,
        labels: 4,
        value: 2,
        by_hand: usize::MAX,
        has_consequence: true,
        unread: 2,
        remark: 2,
    };

    /// More first; each leaves out what is missed less than what the next leaves out.
    pub const LESS_AND_LESS: [Self; 6] = {
        let short_ways = Self { by_hand: 2, has_consequence: false, ..Self::FULL };
        let without_tree = Self { follower: 1, tree: false, ..short_ways };
        let short_values = Self { value: 1, unread: 1, remark: 1, ..without_tree };
        let few_rows = Self { rows: 3, labels: 2, by_hand: 1, ..short_values };
        // The question names the objects, too.
        let without_rows = Self { rows: 0, labels: 1, ..few_rows };
        [Self::FULL, short_ways, without_tree, short_values, few_rows, without_rows]
    };
}
