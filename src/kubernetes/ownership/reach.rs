//! The reach of a controller that comes back: the kinds that its account may write, and those that
//! were installed with it.

use crate::facts::{All, Facts, Gap, Known, Readable};
use crate::kubernetes::ownership::access;
use crate::kubernetes::ownership::access::Lets;
use crate::kubernetes::ownership::access::account_of;
use crate::kubernetes::ownership::marks::{installed_in, share_a_mark};
use crate::report::Ref;
use crate::survey::{Form, Object, Resource, Seen};
use std::collections::BTreeSet;
use std::rc::Rc;

/// The reach of a controller, as far as it is known.
#[derive(Debug, Default)]
pub(crate) struct Reach {
    rules: Vec<serde_json::Value>,
    /// The kinds that were installed with the controller, as `plural.group`.
    installed: BTreeSet<String>,
    /// The parts that cannot be read, with the reason.
    pub(crate) unread: Vec<String>,
    /// A key that is the same only for the same reach.
    pub(crate) key: String,
}

impl Reach {
    /// Reads the reach of `workload`. Roles count cluster-wide, in the workload's own namespace and
    /// in `namespace`, which is that of the object to release. The result is kept for each workload
    /// and namespace.
    pub(crate) fn of(workload: Seen<'_>, namespace: Option<&str>, facts: &Facts<'_>) -> Known<Rc<Self>> {
        let key = format!("{:?} {namespace:?}", Ref::from(workload));
        facts.once(&key, || Self::read(workload, namespace, facts))
    }

    fn read(workload: Seen<'_>, namespace: Option<&str>, facts: &Facts<'_>) -> Known<Self> {
        let own = workload.object.metadata.namespace.as_deref();
        let places: BTreeSet<&str> = own.into_iter().chain(namespace).collect();
        let places: Vec<&str> = places.into_iter().collect();
        let rules = access::rules_of(&account_of(workload.object), &places, facts);
        let definitions = facts.preferred("apiextensions.k8s.io", "customresourcedefinitions");
        let definitions = definitions.map_or(Ok(&[][..]), |kind| facts.list(&kind.id, None, Form::Metadata));
        let mut reach = Self::default();
        let (rules, definitions) = (reach.pass(rules), reach.pass(definitions)).all()?;
        reach.rules = rules.unwrap_or_default().into_iter().cloned().collect();
        let same = definitions.unwrap_or_default().iter().filter(|it| is_same_installation(workload.object, it));
        reach.installed = same.map(|definition| definition.name().to_owned()).collect();
        reach.key = format!("{:?}", (&reach.rules, &reach.installed, &reach.unread));
        Ok(reach)
    }

    fn pass<T>(&mut self, read: Known<T>) -> Known<Option<T>> {
        let note = |Gap { what, why }| self.unread.push(format!("{what}: {why}"));
        Ok(read.surveyed()?.map_err(note).ok())
    }

    /// Whether a kind was installed with the controller, or a rule that names the group lets it
    /// write the kind.
    pub(crate) fn names(&self, kind: &Resource) -> bool {
        self.is_installed(kind) || self.lets(kind).any(|lets| lets == Lets::Named)
    }

    /// Whether a kind was installed with the controller, or any rule lets it write the kind.
    pub(crate) fn holds(&self, kind: &Resource) -> bool {
        self.is_installed(kind) || self.lets(kind).next().is_some()
    }

    fn is_installed(&self, kind: &Resource) -> bool {
        self.installed.contains(&format!("{}.{}", kind.id.plural, kind.id.group))
    }

    fn lets(&self, kind: &Resource) -> impl Iterator<Item = Lets> {
        self.rules.iter().filter_map(|rule| access::lets_write(rule, &kind.id))
    }
}

/// Whether an installer's marks show that both belong to one installation. A common namespace is no
/// such mark.
fn is_same_installation(workload: &Object, definition: &Object) -> bool {
    let places = installed_in(workload).zip(installed_in(definition));
    places.is_none_or(|(own, other)| own == other) && share_a_mark(workload, definition)
}
