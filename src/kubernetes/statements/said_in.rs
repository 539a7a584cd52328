//! Where a statement about an object was read, which tells who may have made it.

use crate::survey::Object;

/// Where a statement about an object was read; the places that fewer may write to come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SaidIn<'s> {
    /// The object's status, written through its subresource, which takes a right of its own.
    Status,
    /// A field that whoever writes the object may have written, too: an annotation, or a status that was
    /// written along with the object.
    Object,
    /// A controller's log, which repeats what tenants write.
    Log,
    /// An event, with the component that it names as its sender. Whoever may create events in a namespace
    /// may send one about any object there, in the name of any component. Events about cluster-scoped objects
    /// are in namespace `default`.
    Event(Option<&'s str>),
}

impl SaidIn<'_> {
    /// The place of the words in an object's status. Without managedFields, nothing says who wrote it.
    pub(crate) fn status_of(object: &Object) -> Self {
        let apart = object.status_written_apart_by().count() > 0 || object.status_written_by().count() == 0;
        if apart { Self::Status } else { Self::Object }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn a_status_counts_as_one_only_if_it_was_written_through_its_subresource() {
        let object = |managed: Value| -> Object {
            Object::single(json!({"metadata": {"name": "o", "managedFields": managed}})).unwrap()
        };
        let entry = |subresource: &str| json!([{"manager": "m", "operation": "Update", "subresource": subresource, "fieldsV1": {"f:status": {}}}]);
        assert_eq!(SaidIn::status_of(&object(entry("status"))), SaidIn::Status);
        assert_eq!(SaidIn::status_of(&object(entry(""))), SaidIn::Object);
        assert_eq!(SaidIn::status_of(&object(json!([]))), SaidIn::Status);
    }
}
