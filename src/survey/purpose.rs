//! The purpose of a survey: named objects, stranded objects, a scan, or the preview of a deletion.

use super::object::Object;
use super::resource::ResourceId;
use super::want::{Form, Want};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The name of a target.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TargetName {
    /// Its resource.
    pub resource: ResourceId,
    /// Its namespace; `None` when cluster-scoped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// Its name.
    pub name: String,
}

impl TargetName {
    /// The name of an object of this resource.
    #[must_use]
    pub fn of(resource: &ResourceId, object: &Object) -> Self {
        Self {
            resource: resource.clone(),
            namespace: object.metadata.namespace.as_deref().map(Into::into),
            name: object.name().into(),
        }
    }

    /// The read that returns the whole object.
    #[must_use]
    pub fn want(&self) -> Want {
        Want::get(&self.resource, self.namespace.as_deref(), &self.name, Form::Whole)
    }
}

/// The purpose of a survey.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "PurposeInFile", into = "PurposeInFile")]
pub enum Purpose {
    /// A diagnosis of its targets.
    #[default]
    Targets,
    /// A search for stranded objects.
    Orphans(Scope),
    /// A diagnosis of everything that is being deleted.
    Scan(Scan),
    /// A diagnosis of the aggregated APIs.
    Apis,
    /// A list of the installed products, in one namespace or anywhere.
    Products(Option<String>),
    /// The preview of a deletion of its targets.
    Preflight {
        /// The cascade of the deletion.
        cascade: Cascade,
        /// The installed products that are deleted with the targets.
        products: Vec<ProductName>,
    },
}

impl Purpose {
    /// A search for stranded objects, in one namespace or anywhere.
    #[must_use]
    pub fn orphans(namespace: Option<String>) -> Self {
        Self::Orphans(Scope { namespace, ..Scope::default() })
    }

    /// The preview of a deletion of targets alone.
    #[must_use]
    pub fn preflight(cascade: Cascade) -> Self {
        Self::Preflight { cascade, products: Vec::new() }
    }

    /// Whether the diagnosis finds targets itself.
    pub(crate) fn finds_targets(&self) -> bool {
        match self {
            Self::Targets => false,
            Self::Preflight { products, .. } => !products.is_empty(),
            Self::Orphans(_) | Self::Scan(_) | Self::Apis | Self::Products(_) => true,
        }
    }

    /// The products that the user named.
    pub(crate) fn named_products(&self) -> &[ProductName] {
        if let Self::Preflight { products, .. } = self { products } else { &[] }
    }
}

/// A purpose as fields of the file, of which those of one purpose are set.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct PurposeInFile {
    #[serde(skip_serializing_if = "Option::is_none")]
    orphans: Option<Scope>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scan: Option<Scan>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    apis: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    preflight: Option<Cascade>,
    #[serde(skip_serializing_if = "Option::is_none")]
    products: Option<ProductsInFile>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum ProductsInFile {
    All(Option<String>),
    Named(Vec<ProductName>),
}

impl From<PurposeInFile> for Purpose {
    fn from(file: PurposeInFile) -> Self {
        match file {
            PurposeInFile { scan: Some(scan), .. } => Self::Scan(scan),
            PurposeInFile { products: Some(ProductsInFile::All(namespace)), .. } => Self::Products(namespace),
            PurposeInFile { products: Some(ProductsInFile::Named(products)), preflight, .. } => {
                Self::Preflight { cascade: preflight.unwrap_or_default(), products }
            }
            PurposeInFile { orphans: Some(scope), .. } => Self::Orphans(scope),
            PurposeInFile { apis: true, .. } => Self::Apis,
            PurposeInFile { preflight: Some(cascade), .. } => Self::preflight(cascade),
            PurposeInFile { .. } => Self::Targets,
        }
    }
}

impl From<Purpose> for PurposeInFile {
    fn from(purpose: Purpose) -> Self {
        let none = Self::default();
        match purpose {
            Purpose::Targets => none,
            Purpose::Orphans(scope) => Self { orphans: Some(scope), ..none },
            Purpose::Scan(scan) => Self { scan: Some(scan), ..none },
            Purpose::Apis => Self { apis: true, ..none },
            Purpose::Products(namespace) => Self { products: Some(ProductsInFile::All(namespace)), ..none },
            Purpose::Preflight { cascade, products } => {
                let products = Some(products).filter(|names| !names.is_empty()).map(ProductsInFile::Named);
                Self { preflight: Some(cascade), products, ..none }
            }
        }
    }
}

/// The scope of a survey of everything that is being deleted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Scan {
    /// The only namespace to read; `None` for the whole cluster.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// A label selector that the objects must match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selector: Option<String>,
}

/// The name of a product, as the user gives it: `helm/shop`.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ProductName {
    /// The word for the installer: `helm`.
    pub installer: String,
    /// The installer's name for the product.
    pub name: String,
    /// The namespace, if the user gave one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// The uids of its objects when its deletion began. As its objects disappear, so do the marks
    /// that tell what belongs to it.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub members: BTreeSet<String>,
    /// The uids of objects that had its marks then without being part of it, and why.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub apart: BTreeMap<String, String>,
}

impl ProductName {
    /// Whether this name refers to the product. A product without a namespace matches any namespace.
    #[must_use]
    pub fn means(&self, installer: &str, name: &str, namespace: Option<&str>) -> bool {
        let is_installer = self.installer == installer || (self.installer == "olm" && installer == "olmv1");
        let asked = self.namespace.as_deref();
        is_installer && self.name == name && asked.is_none_or(|asked| namespace.is_none_or(|it| it == asked))
    }
}

/// `helm/shop`.
impl fmt::Display for ProductName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.installer, self.name)
    }
}

/// The scope of a survey of stranded objects.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Scope {
    /// The only namespace to read; `None` for the whole cluster.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// The uids of objects that an earlier search found without owners. Objects that are garbage
    /// collected in time appear in only one of the searches. `None` in the first search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub without_owners_before: Option<BTreeSet<String>>,
    /// The namespaces that do not exist and in which the server therefore refuses DELETEs: a
    /// webhook or policy selects by namespace.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub no_delete_in: BTreeSet<String>,
}

impl Scope {
    /// Whether objects in this namespace, or cluster-scoped ones, are included.
    #[must_use]
    pub fn holds(&self, namespace: Option<&str>) -> bool {
        self.namespace.is_none() || self.namespace.as_deref() == namespace
    }
}

/// What happens to the dependents of deleted objects, as in `kubectl delete --cascade`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Cascade {
    /// The garbage collector deletes them afterwards.
    #[default]
    Background,
    /// They are deleted first.
    Foreground,
    /// They are kept.
    Orphan,
}

impl Cascade {
    /// The API's name.
    #[must_use]
    pub fn policy(self) -> &'static str {
        match self {
            Self::Background => "Background",
            Self::Foreground => "Foreground",
            Self::Orphan => "Orphan",
        }
    }

    /// The value of kubectl's flag.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Background => "background",
            Self::Foreground => "foreground",
            Self::Orphan => "orphan",
        }
    }
}
