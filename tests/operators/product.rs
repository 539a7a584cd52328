//! A product: building its programs, and installing it.

use crate::support::go::Module;
use crate::support::go::build::NotBuilt;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The content of `product.yaml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Description {
    /// The product in one line.
    about: String,
    /// The package of each program, by the name of the image that contains it.
    programs: BTreeMap<String, String>,
    /// The modules with folders from which `install.sh` reads manifests, by the variable for the
    /// folder.
    folders: BTreeMap<String, String>,
    /// The kinds of states that the product cannot have, and why.
    #[serde(default)]
    lacks: BTreeMap<String, String>,
}

/// A product below `tests/operators/products`.
pub struct Product {
    /// The folder's name.
    pub name: String,
    /// The folder.
    pub dir: PathBuf,
    description: Description,
    module: Module,
}

impl Product {
    /// All products, by name.
    pub fn all() -> Vec<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/operators/products");
        let entries = std::fs::read_dir(&root).expect("tests/operators/products");
        let mut dirs: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
        dirs.sort();
        dirs.into_iter().map(Self::at).collect()
    }

    fn at(dir: PathBuf) -> Self {
        let name = dir.file_name().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(dir.join("product.yaml")).unwrap_or_else(|error| panic!("{name}: {error}"));
        let description: Description =
            serde_saphyr::from_str(&text).unwrap_or_else(|error| panic!("{name}/product.yaml: {error}"));
        // Read once per run, and needed until its end.
        let folder = String::leak(format!("operators/products/{name}/program"));
        let programs: Vec<(&str, &str)> = description
            .programs
            .iter()
            .map(|(image, package)| (&*String::leak(image.clone()), &*String::leak(package.clone())))
            .collect();
        let module = Module::operator(folder, Vec::leak(programs), format!("{name} (first time only, some minutes)"));
        Self { name, dir, description, module }
    }

    /// The product in one line.
    pub fn about(&self) -> &str {
        &self.description.about
    }

    /// The kinds of states that the product cannot have, and why.
    pub fn lacks(&self) -> &BTreeMap<String, String> {
        &self.description.lacks
    }

    /// Whether its programs exist, built from these versions.
    pub fn is_built(&self) -> bool {
        self.module.is_current().unwrap_or_default()
    }

    /// Builds its programs unless they are current.
    pub fn build(&self) -> Result<(), NotBuilt> {
        if self.module.is_current()? { Ok(()) } else { self.module.build() }
    }

    /// The program of each image, as an argument of the agent.
    pub fn images(&self) -> Vec<String> {
        let program = |image: &String| format!("{image}={}", self.module.output().join(image).display());
        self.description.programs.keys().map(program).collect()
    }

    /// The folders of its manifests, as variables.
    pub fn folders(&self) -> Result<Vec<(String, PathBuf)>, String> {
        let folders = self.description.folders.iter();
        folders.map(|(variable, module)| Ok((variable.clone(), self.module.folder_of(module)?))).collect()
    }
}
