//! The marks of each installer, and the actions of its controller when its own object is deleted: a
//! file for each.

mod argocd;
mod carvel;
mod crossplane;
mod fleet;
mod flux;
mod helm;
mod instance;
mod kapp;
mod olm;
mod olm_v1;

use super::release::{Part, Release};

/// The installer of a release.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Installer {
    Helm,
    Kapp,
    Instance,
    Flux,
    ArgoCd,
    Olm,
    OlmV1,
    Carvel,
    Fleet,
    Crossplane,
}

pub const INSTALLERS: [Installer; 10] = [
    Installer::Helm,
    Installer::Olm,
    Installer::Flux,
    Installer::Carvel,
    Installer::Kapp,
    Installer::Fleet,
    Installer::ArgoCd,
    Installer::Crossplane,
    Installer::Instance,
    Installer::OlmV1,
];

impl Installer {
    pub fn way(self) -> &'static dyn Way {
        match self {
            Self::Helm => &helm::Helm,
            Self::Kapp => &kapp::Kapp,
            Self::Instance => &instance::Instance,
            Self::Flux => &flux::Flux,
            Self::ArgoCd => &argocd::ArgoCd,
            Self::Olm => &olm::Olm,
            Self::OlmV1 => &olm_v1::OlmV1,
            Self::Carvel => &carvel::Carvel,
            Self::Fleet => &fleet::Fleet,
            Self::Crossplane => &crossplane::Crossplane,
        }
    }
}

/// The fate of a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Definition {
    /// The installer deletes it with everything else.
    Goes,
    /// The installer leaves it, and it is deleted separately.
    Left,
    /// The installer leaves it because it was told so.
    Kept,
}

/// The marks that an installer writes on an object. A key without a value is removed.
#[derive(Default)]
pub struct Marks {
    pub labels: Vec<(String, String)>,
    pub annotations: Vec<(String, String)>,
    /// The owner references, as a variable of the script.
    pub owners: &'static str,
}

impl Marks {
    pub fn label(mut self, key: &str, value: &str) -> Self {
        self.labels.push((key.to_owned(), value.to_owned()));
        self
    }

    pub fn annotation(mut self, key: &str, value: &str) -> Self {
        self.annotations.push((key.to_owned(), value.to_owned()));
        self
    }
}

/// The behaviour of one installer.
pub trait Way: Sync {
    /// The word, the name and the namespace that name a release.
    fn asked(&self, release: &Release) -> (&'static str, String, Option<String>);

    /// Shell functions for the actions of its controller.
    fn words(&self) -> &'static str {
        ""
    }

    /// The part of the script that is needed once: its own kinds, and its controller.
    fn preparation(&self) -> &'static str {
        ""
    }

    /// The marks that it writes on one part of a release.
    fn marks(&self, release: &Release, part: &Part) -> Marks;

    /// The marks that anybody can write so that an object looks like part of the release.
    fn forged(&self, release: &Release) -> Marks;

    /// Whether such marks have an effect.
    fn heeds_marks(&self) -> bool {
        true
    }

    /// Creates its own objects before the marks, which may name them.
    fn own_objects(&self, _: &Release) -> String {
        String::new()
    }

    /// The action of its controller when its own objects are deleted: a command that runs every few
    /// seconds.
    fn controller(&self, _: &Release) -> Option<String> {
        None
    }

    /// Its own objects that a person deletes, in this order, as `kubectl` accepts them.
    fn own(&self, _: &Release) -> Vec<String> {
        Vec::new()
    }

    /// Its own objects that are deleted with these or after them.
    fn along(&self, _: &Release) -> Vec<String> {
        Vec::new()
    }

    /// Whether a part belongs to the release. The others are listed apart.
    fn takes(&self, _: &Part) -> bool {
        true
    }

    /// The fate of the definition.
    fn definition(&self, _: &Release) -> Definition {
        Definition::Goes
    }
}

/// Shell functions for the actions of installers' controllers.
pub const WORDS: &str = r#"
# deleting TYPE NAME [-n NAMESPACE]: whether somebody has deleted it and it is still there.
deleting() { test -n "$(kubectl get "$@" --ignore-not-found -o jsonpath='{.metadata.deletionTimestamp}')"; }
# let_go TYPE NAME [-n NAMESPACE]: a controller has done its part.
let_go() { kubectl patch "$@" --type=merge -p '{"metadata":{"finalizers":null}}'; }
# removed MEMBERS: asks all of them to go, and whether they are gone; a semicolon is between two of them.
removed() {
  IFS=';' read -ra members <<<"$1"
  for member in "${members[@]}"; do kubectl delete --wait=false --ignore-not-found $member; done
  for member in "${members[@]}"; do test -z "$(kubectl get --ignore-not-found -o name $member)" || return 1; done
}
# prunes NAMESPACE KIND NAME MEMBERS: what an installer does when its own object is deleted.
prunes() {
  deleting "$2" "$3" -n "$1" || return 0
  removed "$4" && let_go "$2" "$3" -n "$1"
}
# stamped MEMBER LABELS ANNOTATIONS [OWNERS]: what the installer writes on one of its objects.
stamped() {
  kubectl patch $1 --type=merge --field-manager=installer -p "metadata: {labels: {$2}, annotations: {$3}${4:+, ownerReferences: [$4]}}"
}
# owner_of TYPE NAME [-n NAMESPACE]: a reference to an object that exists, and does not manage what has it.
owner_of() {
  kubectl get "$@" \
    -o jsonpath="{'{'}apiVersion: {.apiVersion}, kind: {.kind}, name: {.metadata.name}, uid: {.metadata.uid}, controller: false{'}'}"
}
# manager_of TYPE NAME [-n NAMESPACE]: a reference to one that manages it.
manager_of() { owner_of "$@" | sed 's/controller: false/controller: true, blockOwnerDeletion: true/'; }
# lost TYPE NAME [-n NAMESPACE]: somebody has deleted it and kept everything that it has made.
lost() {
  let_go "$@"
  kubectl delete "$@" --cascade=orphan
}
"#;

/// The entries of an inventory with the fields `group`, `kind`, `namespace` and `name`.
fn in_fields(release: &Release, version: fn(&Part) -> String) -> String {
    let entry = |part: &Part| {
        let Part { kind, namespace, name, .. } = part;
        format!("{{{}, kind: {kind}, namespace: \"{namespace}\", name: \"{name}\"}}", version(part))
    };
    release.parts().iter().map(entry).collect::<Vec<_>>().join(", ")
}

/// `apiVersion: apps/v1`, as one field.
fn api_version(part: &Part) -> String {
    let slash = if part.group.is_empty() { "" } else { "/" };
    format!("apiVersion: {}{slash}v1", part.group)
}
