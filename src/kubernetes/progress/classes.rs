//! The class of an object names its controller: a controller ignores objects with another
//! controller's class.

use crate::facts::{Facts, Known, Readable, flat_each};
use crate::kubernetes::finalizers::groups::{domain, is_custom};
use crate::kubernetes::mentions::Edge;
use crate::kubernetes::mentions::spec::spec_edges;
use crate::kubernetes::ownership::candidates::{Candidate, workloads};
use crate::kubernetes::ownership::owner::{Fit, fit, is_part_of};
use crate::kubernetes::progress::inquiry::Inquiry;
use crate::report::Ref;
use crate::survey::{Form, Object, ResourceId, Seen};

/// The class of another controller.
#[derive(Debug, Clone)]
pub(crate) struct OtherClass {
    /// The class.
    pub(crate) class: Ref,
    /// The field of the object that names it.
    pub(crate) field: String,
    /// The controller that the class names.
    pub(crate) controller: String,
}

/// The class of a held object, if another workload than `best` has the name of the class's
/// controller.
pub(crate) fn of_another<'s>(best: &Candidate<'s>, inquiry: Inquiry<'_, 's>) -> Known<Option<OtherClass>> {
    let Inquiry { finalizer, held, facts, .. } = inquiry;
    let classes = flat_each(held.read(), |seen| class(seen, facts))?;
    for (class, field) in classes {
        let controller = ["/spec/controller", "/spec/controllerName"].iter().find_map(|at| class.object.text(at));
        let Some(controller) = controller else { continue };
        let (place, name) = controller.rsplit_once('/').unwrap_or(("", controller));
        let is_own = place == domain(finalizer) || fit(name, best.seen.object) == Fit::Name;
        if !is_own && is_there(name, facts)? {
            let controller = controller.to_owned();
            return Ok(Some(OtherClass { class: class.into(), field, controller }));
        }
    }
    Ok(None)
}

/// The class that an object names, and the field with its name.
fn class<'s>(seen: Seen<'s>, facts: &Facts<'s>) -> Known<Option<(Seen<'s>, String)>> {
    let mut named = spec_edges(seen, facts.discovery()).into_iter();
    // An IngressClass is the only built-in class that names a controller.
    let names_controller = |kind: &ResourceId| is_custom(&kind.group) || kind.plural == "ingressclasses";
    let is_class = |it: &Edge<'_>| {
        it.field.ends_with("ClassName") && it.resource.kind.ends_with("Class") && names_controller(&it.resource.id)
    };
    let Some(named) = named.find(is_class) else { return Ok(None) };
    let class = named.read(Form::Whole, facts).if_readable()?.flatten();
    Ok(class.map(|class| (class, named.field)))
}

/// Whether a workload with this name exists.
fn is_there(name: &str, facts: &Facts<'_>) -> Known<bool> {
    let lists = workloads(facts).if_readable()?.unwrap_or_default();
    Ok(lists.into_iter().flatten().flatten().any(|workload: &Object| is_part_of(name, workload)))
}
