//! A state: how it is brought about, and what is true of it.

use crate::product::Product;
use serde::Deserialize;
use std::path::PathBuf;

/// The content of a state's file.
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
    /// Other products that are installed, too.
    #[serde(default)]
    pub beside: Vec<String>,
    /// The namespace that the products share.
    #[serde(default)]
    pub together: String,
    /// The script before the deletion, with the functions of `lib.sh` and of the product's
    /// `install.sh`.
    pub make: String,
    /// The deletion, and what happens after it.
    pub delete: String,
    /// The words after `kubectl unstick`.
    pub ask: Vec<String>,
    /// The truth, which follows from how the state was brought about.
    pub truth: Truth,
    /// How to carry out the offered repair.
    #[serde(default)]
    pub repair: Option<Repair>,
    /// The fate of the target after the repair.
    pub then: Outcome,
    /// The known errors of the program: its answers instead of the right ones.
    #[serde(default)]
    pub known: Known,
}

/// The truth about a state.
#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub struct Truth {
    /// The right forecast of a deletion: `WouldHang`, `WouldGo`.
    pub forecast: String,
    /// The exit code after the deletion.
    pub exit: i32,
    /// The state of the target then.
    pub state: String,
    /// The objects of the root causes, to repair or to wait for.
    #[serde(default)]
    pub roots: Vec<String>,
    /// The controller that should release the target, and its state.
    #[serde(default)]
    pub controller: Option<String>,
    /// The first remedy: a step with its object, or `by hand:` and some of its words.
    #[serde(default)]
    pub first: Option<String>,
}

/// The known errors: only fields that differ from the truth.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub struct Known {
    pub forecast: Option<String>,
    pub exit: Option<i32>,
    pub state: Option<String>,
    pub roots: Option<Vec<String>>,
    /// `none` if no controller is named.
    pub controller: Option<String>,
    /// `none` if no remedy is offered.
    pub first: Option<String>,
    pub then: Option<Outcome>,
    /// The reason why the answer is wrong, in one line.
    #[serde(default)]
    pub why: String,
}

/// How to carry out the offered repair.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub enum Repair {
    /// By the program, up to this risk.
    Approve(String),
    /// By a person, following the remedy.
    ByHand(String),
}

/// The fate of the target.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// The target and everything in it are gone.
    Gone,
    /// The target is still there.
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

    /// Whether any known answer about the state is wrong.
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
