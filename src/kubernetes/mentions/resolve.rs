//! Looks up the object at the other end of an edge.

use crate::facts::{Facts, Known};
use crate::kubernetes::mentions::edge::Edge;
use crate::report::Ref;
use crate::survey::{Form, Seen};

/// What is at the other end of an edge.
#[derive(Debug, Clone)]
pub(crate) enum End<'s> {
    There(Seen<'s>),
    /// The deletion of the object was requested.
    Going(Seen<'s>),
    Absent(Ref),
}

impl<'s> End<'s> {
    pub(crate) fn seen(self) -> Option<Seen<'s>> {
        match self {
            Self::There(seen) | Self::Going(seen) => Some(seen),
            Self::Absent(_) => None,
        }
    }

    pub(crate) fn absent(self) -> Option<Ref> {
        match self {
            Self::Absent(what) => Some(what),
            Self::There(_) | Self::Going(_) => None,
        }
    }
}

impl<'s> Edge<'s> {
    /// The object at the other end, if it exists.
    pub(crate) fn read(&self, form: Form, facts: &Facts<'s>) -> Known<Option<Seen<'s>>> {
        Ok(resolve(self, form, facts)?.seen())
    }
}

/// Looks what is at the other end of `edge`.
pub(crate) fn resolve<'s>(edge: &Edge<'s>, form: Form, facts: &Facts<'s>) -> Known<End<'s>> {
    let Edge { resource, namespace, name, .. } = edge;
    let read = match form {
        Form::Metadata => facts.metadata(&resource.id, namespace.as_deref(), name),
        _ => facts.get(&resource.id, namespace.as_deref(), name, form),
    };
    let Some(object) = read? else { return Ok(End::Absent(Ref::absent(resource, namespace.clone(), name))) };
    let seen = Seen { resource, object };
    Ok(if object.is_deleting() { End::Going(seen) } else { End::There(seen) })
}
