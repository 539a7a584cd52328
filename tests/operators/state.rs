//! A state: how it is made, and what is true of it.

use crate::product::Product;
use serde::Deserialize;
use std::path::PathBuf;

/// What a file of a state says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct State {
    /// The file's name.
    #[serde(skip)]
    pub name: String,
    /// The state, in one line.
    pub about: String,
    /// The kind of state; see the README.
    pub shows: String,
    /// Other products that are installed beside it.
    #[serde(default)]
    pub beside: Vec<String>,
    /// The namespace that the products share.
    #[serde(default)]
    pub together: String,
    /// What is done before the deletion, with the words of `lib.sh` and of the product's `install.sh`.
    pub make: String,
    /// The deletion, and what happens after it.
    pub delete: String,
    /// The words after `kubectl unstick`.
    pub ask: Vec<String>,
    /// What is true, by how the state was made.
    pub truth: Truth,
    /// How the offered repair is carried out.
    #[serde(default)]
    pub repair: Option<Repair>,
    /// What becomes of the target then.
    pub then: Outcome,
    /// What the program is known to get wrong: what it says instead.
    #[serde(default)]
    pub known: Known,
}

/// What is true of a state.
#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub struct Truth {
    /// What becomes of the target if it is deleted: `WouldHang`, `WouldGo`.
    pub forecast: String,
    /// The exit code after the deletion.
    pub exit: i32,
    /// How the target stands then.
    pub state: String,
    /// The objects at the root: what is to be repaired, or waited for.
    #[serde(default)]
    pub roots: Vec<String>,
    /// Who should release the target, and how that stands.
    #[serde(default)]
    pub controller: Option<String>,
    /// The first remedy: a step with its object, or `by hand:` and some of its words.
    #[serde(default)]
    pub first: Option<String>,
}

/// What is known to be wrong: only what differs from the truth is said.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub struct Known {
    pub forecast: Option<String>,
    pub exit: Option<i32>,
    pub state: Option<String>,
    pub roots: Option<Vec<String>>,
    /// `none` where none is named.
    pub controller: Option<String>,
    /// `none` where none is offered.
    pub first: Option<String>,
    pub then: Option<Outcome>,
    /// Why it is wrong, in one line.
    #[serde(default)]
    pub why: String,
}

/// How the offered repair is carried out.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub enum Repair {
    /// By the program, up to this risk.
    Approve(String),
    /// By a person, as the remedy says.
    ByHand(String),
}

/// What becomes of the target.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// It is gone, and nothing of it is left.
    Gone,
    /// It is still there.
    Stays,
}

impl State {
    /// All states of a product, by name.
    pub fn all(product: &Product) -> Vec<Self> {
        let folder = product.dir.join("states");
        let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
        files.sort();
        files.into_iter().map(|file| Self::at(&file)).collect()
    }

    fn at(file: &PathBuf) -> Self {
        let text = std::fs::read_to_string(file).expect("a state");
        let state: Self = serde_saphyr::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        Self { name: file.file_stem().expect("a name").to_string_lossy().into_owned(), ..state }
    }

    /// Whether something of it is known to be answered wrongly.
    pub fn is_known_wrong(&self) -> bool {
        let known = &self.known;
        known.forecast.is_some()
            || known.exit.is_some()
            || known.state.is_some()
            || known.roots.is_some()
            || known.controller.is_some()
            || known.first.is_some()
            || known.then.is_some()
    }
}
