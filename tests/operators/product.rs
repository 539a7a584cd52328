//! A product: how its programs are built, and how it is installed.

use crate::support::go::Module;
use crate::support::go::build::NotBuilt;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What `product.yaml` says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Description {
    /// What it is, in one line.
    about: String,
    /// The package of each program, by the name of the image that holds it.
    programs: BTreeMap<String, String>,
    /// The modules whose folders `install.sh` reads manifests from, by the variable that names
    /// the folder there.
    folders: BTreeMap<String, String>,
    /// Which kinds of state it cannot have, and why.
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
    /// All of them, by name.
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
        // Read once in a run, and needed to its end.
        let folder = String::leak(format!("operators/products/{name}/program"));
        let programs: Vec<(&str, &str)> = description
            .programs
            .iter()
            .map(|(image, package)| (&*String::leak(image.clone()), &*String::leak(package.clone())))
            .collect();
        let module = Module::operator(folder, Vec::leak(programs), format!("{name} (first time only, some minutes)"));
        Self { name, dir, description, module }
    }

    /// What it is, in one line.
    pub fn about(&self) -> &str {
        &self.description.about
    }

    /// Which kinds of state it cannot have, and why.
    pub fn lacks(&self) -> &BTreeMap<String, String> {
        &self.description.lacks
    }

    /// Whether its programs are there, built from these versions.
    pub fn is_built(&self) -> bool {
        self.module.is_current().unwrap_or_default()
    }

    /// Builds its programs where they are not current.
    pub fn build(&self) -> Result<(), NotBuilt> {
        if self.module.is_current()? { Ok(()) } else { self.module.build() }
    }

    /// The program of each image, as the agent is told.
    pub fn images(&self) -> Vec<String> {
        let program = |image: &String| format!("{image}={}", self.module.output().join(image).display());
        self.description.programs.keys().map(program).collect()
    }

    /// The folders that its manifests are read from, as variables.
    pub fn folders(&self) -> Result<Vec<(String, PathBuf)>, String> {
        let folders = self.description.folders.iter();
        folders.map(|(variable, module)| Ok((variable.clone(), self.module.folder_of(module)?))).collect()
    }
}
